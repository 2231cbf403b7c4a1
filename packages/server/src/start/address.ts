/** Addresses as people write them. */

/** `http://127.0.0.1:8080`; IPv6 addresses in brackets. */
export function baseUrl(scheme: "http" | "ws", host: string, port: number): string {
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Whether only this machine can connect to it. */
export function isOwnMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}
