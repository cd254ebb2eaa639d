-- SPDX-License-Identifier: BSD-3-Clause
-- links.lua - a page of Markdown as one of the manual, for pandoc: its first heading is the title, links to other pages
-- lead to what these become, and what stands behind the language of a block is for the tests (tests/pages/run-blocks.py).

local function page_of(target)
    if target:match("^%a[%w+.-]*:") or target:match("^#") then
        return target
    end
    target = target:gsub("README%.md", "index.html"):gsub("tests/index%.html", "tests/README.html")
    target = target:gsub("%.md$", ".html"):gsub("%.md#", ".html#")
    return (target:gsub("(man/[%w-]+%.[13])$", "%1.html"):gsub("(man/[%w-]+%.[13])#", "%1.html#"))
end

function Link(link)
    link.target = page_of(link.target)
    return link
end

function CodeBlock(block)
    block.classes = {block.classes[1] and block.classes[1]:match("^%S+") or "text"}
    return block
end

function Pandoc(doc)
    for at, block in ipairs(doc.blocks) do
        if block.t == "Header" and block.level == 1 then
            doc.meta.title = pandoc.MetaInlines(block.content)
            table.remove(doc.blocks, at)
            break
        end
    end
    return doc
end
