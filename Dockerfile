# Debian 12 with all that measuring and drawing need. Each RUN line was run in a bare Debian 12; the image itself was never built
# here. `docker build -t handoff .`, then `docker run --rm --cap-add SYS_NICE -v "$PWD/runs:/runs" handoff ./run_all.sh --data /runs`: a
# container measures on the CPUs that it may use, and says so; with a quota of CPU time the labs refuse to. SYS_NICE lets it place the heap on
# a NUMA node; without it, memory lies where it is first written, and claims about sockets are not judged.
FROM debian:12

RUN apt-get update && apt-get install --yes --no-install-recommends bubblewrap ca-certificates git maven openjdk-17-jdk-headless python3 python3-venv && rm -rf /var/lib/apt/lists/*

COPY . /handoff
WORKDIR /handoff

# .venv first, then the jars and Maven's packages: later calls need no network.
RUN ./run_all.sh runs && .venv/bin/python -m pip install --require-hashes -r requirements-teaching.lock
RUN ./run_all.sh smoke build

CMD ["./run_all.sh", "reference"]
