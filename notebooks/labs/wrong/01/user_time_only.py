# answer: per_fork
# wrong: leaves out the kernel's time
def per_fork(fork, warmup):
    shots = fork["evidence"]["shots"][warmup:]
    wall, events = (sum(shot[key] for shot in shots) for key in ("wallNs", "events"))
    sleeps = sum(thread["voluntary"] for shot in shots for thread in shot["threads"])
    return {
        "ns": wall / events,
        "cores": sum(shot["userNs"] for shot in shots) / wall,
        "sleeps": sleeps / events,
    }
