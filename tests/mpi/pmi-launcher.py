# SPDX-License-Identifier: BSD-3-Clause
"""pmi-launcher - a launcher that no table knows: starts ranks of MPICH by the first version of its process manager's
protocol (PMI-1), and ends with the first status that is not 0. For in-rank.tap.

  pmi-launcher RANKS COMMAND...
"""
import os
import selectors
import socket
import subprocess
import sys

ranks, command = int(sys.argv[1]), sys.argv[2:]
store = {"PMI_process_mapping": f"(vector,(0,1,{ranks}))"}
answers = {
    "init": "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0",
    "get_maxes": "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024 rc=0",
    "get_appnum": "cmd=appnum appnum=0 rc=0",
    "get_universe_size": f"cmd=universe_size size={ranks} rc=0",
    "get_my_kvsname": "cmd=my_kvsname kvsname=ours rc=0",
    "put": "cmd=put_result rc=0 msg=success",
    "finalize": "cmd=finalize_ack rc=0",
}
selector = selectors.DefaultSelector()
channels, processes, waiting = [], [], 0


def answer(line):
    """Returns the answer to a line; None: there is none, or not yet."""
    global waiting
    words = dict(word.split("=", 1) for word in line.split())
    what = words["cmd"]
    if what == "abort":
        for process in processes:
            process.kill()
        return None
    if what == "barrier_in":
        waiting += 1
        return None
    if what == "put":
        store[words["key"]] = words["value"]
    if what == "get":
        value = store.get(words["key"])
        return f"cmd=get_result rc=0 msg=success value={value}" if value else "cmd=get_result rc=-1 msg=unknown_key"
    return answers.get(what, "cmd=unknown rc=-1")


for rank in range(ranks):
    ours, theirs = socket.socketpair()
    channel = ours.makefile("rw")
    channels.append(channel)
    selector.register(ours, selectors.EVENT_READ, (channel, ours))
    environment = dict(os.environ, PMI_RANK=str(rank), PMI_SIZE=str(ranks), PMI_FD=str(theirs.fileno()), PMI_SPAWNED="0")
    processes.append(subprocess.Popen(command, env=environment, pass_fds=[theirs.fileno()]))
    theirs.close()

left = ranks
while left:
    for key, _ in selector.select():
        channel, ours = key.data
        line = channel.readline()
        if not line:
            selector.unregister(ours)
            left -= 1
            continue
        said = answer(line)
        if said:
            channel.write(said + "\n")
            channel.flush()
    if waiting == ranks:
        waiting = 0
        for channel in channels:
            channel.write("cmd=barrier_out rc=0\n")
            channel.flush()
sys.exit(next((status for status in (process.wait() for process in processes) if status), 0))
