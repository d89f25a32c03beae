"""sandbox.py: a shop of Duka for a test suite, with the standard library alone. It needs `duka` on the path. A suite has a
shop of its own; with DUKA_SANDBOX=ci it uses the one that `duka sandbox --detach --name ci` has started, and leaves it.
"""

import json
import os
import subprocess
import urllib.error
import urllib.request


def open_sandbox(*options):
    """The options are those of `duka sandbox`, such as "--seed", "full"."""
    name = os.environ.get("DUKA_SANDBOX")
    if name:
        return Sandbox(_find_detached(name))
    command = ["duka", "sandbox", "--json", *options]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    line = child.stdout.readline()
    if line == "":
        raise RuntimeError(f"duka sandbox ended with exit code {child.wait()}.")
    return Sandbox(json.loads(line), child)


def _find_detached(name):
    listed = subprocess.check_output(["duka", "sandbox", "list", "--json"], text=True)
    for facts in json.loads(listed):
        if facts["name"] == name:
            return facts
    raise RuntimeError(f'No sandbox "{name}" runs: duka sandbox --detach --name {name}')


class Sandbox:
    """A running sandbox. What `duka sandbox --json` prints are its attributes, such as api and key."""

    def __init__(self, facts, child=None):
        self.__dict__.update(facts)
        self._child = child
        # The shop is on this machine, which no proxy has to be asked for.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def ask(self, method, path, body=None):
        """The body of the answer, of any status; None where there is none."""
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        sent = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.api + path, sent, headers, method=method)
        try:
            with self._opener.open(request) as answer:
                text = answer.read()
        except urllib.error.HTTPError as refused:
            with refused:
                text = refused.read()
        return json.loads(text) if text else None

    def snapshot(self, name="default"):
        self._state("snapshot", name)

    def restore(self, name="default"):
        self._state("restore", name)

    def _state(self, verb, name):
        command = ["duka", "sandbox", verb, name, "--data-dir", self.directory]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def close(self):
        """Ends a sandbox of its own, which also ends with this process."""
        if self._child is not None:
            self._child.stdin.close()
            self._child.stdout.close()
            self._child.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
