/** Formats addresses as people write them. */

/** Returns `http://127.0.0.1:8080`, for example; IPv6 addresses are in brackets. */
export function baseUrl(scheme: "http" | "ws", host: string, port: number): string {
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Whether only this machine can connect to the address. */
export function isOwnMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}
