"""The floors, the load generators and the TypeScript peers, built in build/bench/floors from the
folder of measuring tools that lies beside the repository ($SQUALL_FLOORS, else ../shared/bench).
They are no part of the project and never committed."""

import os
import pathlib
import shutil
import subprocess

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
BUILD = REPOSITORY / "build" / "bench"
FLOORS = BUILD / "floors"
SQUALL = BUILD / "bin" / "squall"
ECHO_SERVER = BUILD / "bin" / "echo_server"
CLIENT_LOAD = BUILD / "bin" / "client_load"

PROGRAMS = {
    "ldgen": ["g++", "-O2", "-std=c++17", "ldgen.cpp"],
    "stdiobench": ["g++", "-O2", "-std=c++17", "stdiobench.cpp"],
    "epoll_srv": ["g++", "-O3", "-std=c++17", "epoll_srv.cpp", "-lsimdjson"],
    "lineecho": ["gcc", "-O2", "lineecho.c"],
    "inproc": ["g++", "-O3", "-std=c++17", "inproc.cpp", "-lsimdjson"],
}
PEERS = [
    "@modelcontextprotocol/node@2.1.2",
    "@modelcontextprotocol/server@2.4.0",
    "@modelcontextprotocol/client@2.4.0",
    "@modelcontextprotocol/core@2.4.0",
    "zod",
]


def source() -> pathlib.Path:
    folder = pathlib.Path(os.environ.get("SQUALL_FLOORS", REPOSITORY / ".." / "shared" / "bench"))
    if not (folder / "ldgen.cpp").exists():
        raise SystemExit(f"no measuring tools in {folder}; name their folder in $SQUALL_FLOORS")
    return folder


def program(name: str) -> str:
    """The path of a floor or generator, built when it isn't there."""
    path = FLOORS / name
    if not path.exists():
        FLOORS.mkdir(parents=True, exist_ok=True)
        compiler, *rest = PROGRAMS[name]
        sources = [str(source() / word) if "." in word and not word.startswith("-") else word
                   for word in rest if not word.startswith("-std")]
        standard = [word for word in rest if word.startswith("-std")]
        subprocess.run([compiler, *standard, *sources, "-o", str(path)], check=True)
    return str(path)


def peer() -> str | None:
    """The server on the TypeScript SDK v2, installed when it isn't there; None without npm."""
    folder = FLOORS / "node"
    script = folder / "ts2.mjs"
    if (folder / "node_modules" / "@modelcontextprotocol").exists():
        return str(script)
    if shutil.which("npm") is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source() / "node" / "ts2.mjs", script)
    done = subprocess.run(["npm", "i", "--no-audit", "--no-fund", *PEERS], cwd=folder,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return str(script) if done.returncode == 0 else None
