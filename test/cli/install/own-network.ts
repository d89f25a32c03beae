// A network without a way out, with a machine in it and all others beyond. Both addresses are of the internet's, since a
// live shop calls no private ones.

export const INTERNET = "52.1.2.3";
export const MACHINE = "52.1.2.4";

/** The command that runs a program in that network, beside the machine whose root is this folder. */
export function inOwnNetwork(root: string, program: readonly string[]): string[] {
  const steps = [
    "mount -t proc proc /proc",
    `mount -t proc proc ${root}/proc`,
    "mount -t tmpfs none /run",
    `printf '127.0.0.1 localhost\\n${INTERNET} acme.example\\n${MACHINE} shop.example\\n' > /run/hosts`,
    "mount --bind /run/hosts /etc/hosts",
    "ip netns add machine",
    "ip link add internet type veth peer name eth0 netns machine",
    `ip address add ${INTERNET}/24 dev internet`,
    `ip -n machine address add ${MACHINE}/24 dev eth0`,
    ...["lo", "internet"].map((name) => `ip link set ${name} up`),
    ...["lo", "eth0"].map((name) => `ip -n machine link set ${name} up`),
    'exec "$@"',
  ];
  const apart = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child"];
  return [...apart, "sh", "-ec", steps.join(" && "), "sh", ...program];
}
