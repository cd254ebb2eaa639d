# SPDX-License-Identifier: BSD-3-Clause
"""Reseat for Python: read profiles, report on them, map ranks with libtmap, draw the communication matrix.

    import reseat
    profile = reseat.read_profile("app.reseat")
    traffic = profile.traffic()                     # bytes from rank to rank
    report = reseat.report(profile, tree="node:4 core:4")   # as the command `reseat report --json`, which it needs

    from reseat import tmap                         # needs the library libtmap
    tree = tmap.Tree("node:4 core:4")
    slot_of = tmap.find_mapping(tmap.Matrix.from_traffic(traffic), tree)

    from reseat import heatmap                      # needs matplotlib
    heatmap.draw(traffic).savefig("heat.png")

Only the standard library is needed to read profiles. Importing the package loads neither libtmap nor numpy, pandas or
matplotlib.
"""

from reseat._report import CommandError, Report, report
from reseat.profile import (CallTime, Communicator, Profile, ProfileError, RankTime, Rows, Seat, Traffic,
                            read_profile)

__version__ = "0.1.0"

__all__ = ["CallTime", "CommandError", "Communicator", "Profile", "ProfileError", "RankTime", "Report", "Rows", "Seat",
           "Traffic", "read_profile", "report"]
