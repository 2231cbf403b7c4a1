/**
 * The configuration of HAProxy for the nodes on this machine. `deploy/cluster/haproxy.cfg` is the same for three
 * machines.
 */

export interface ProxiedNode {
  readonly name: string;
  /** Ports on loopback. */
  readonly rest: number;
  readonly admin: number;
}

export function haproxyConfig(host: string, port: number, nodes: readonly ProxiedNode[]): string {
  const servers = (check: string): string =>
    nodes.map(({ name, rest, admin }) => `    server ${name} ${host}:${rest} check port ${admin}${check}`).join("\n");
  return `# Written by \`npm run cluster\` at each start.
global
    # As many connections as half of these allow, or of what the system allows.
    fd-hard-limit 50000

defaults
    mode http
    # A connection that a node refuses is tried at the next one. A request that was sent is never sent again: an order
    # may have been placed although nobody heard the answer.
    retries 3
    option redispatch 1
    retry-on conn-failure
    timeout connect 1s
    timeout client 65s
    timeout server 65s
    timeout http-request 10s
    timeout http-keep-alive 60s
    # A node that is gone refuses at once; one that only pauses may take a breath.
    timeout check 1s
    # WebSockets: nodes ping every three minutes.
    timeout tunnel 10m
    default-server inter 200ms fastinter 100ms downinter 200ms fall 2 rise 1 on-marked-down shutdown-sessions

frontend clients
    bind ${host}:${port}
    # Set, not added to: what a client claims to be is dropped.
    http-request set-header X-Forwarded-For %[src]
    # When no node is ready, those that live answer reads, and tell in the interface's words that they take no orders.
    use_backend living if { nbsrv(ready) eq 0 }
    default_backend ready

backend ready
    balance roundrobin
    option httpchk GET /readyz
${servers("")}

backend living
    balance roundrobin
    option httpchk GET /healthz
${servers("")}
`;
}
