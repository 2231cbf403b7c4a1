/** Opens the ports of a node: whoever asks is answered from here on. */
import { ADMIN_HOST } from "../../people/admin/door/server.ts";
import { writeAdminFile } from "../../platform/config/admin-file.ts";
import type { Certificates } from "../../platform/certificates/certificates.ts";
import type { Config } from "../../platform/config/config.ts";
import { type Addresses, baseUrl, type OwnAddress } from "./address.ts";

export interface Doors {
  readonly gateway: { listen(host: string, port: number): Promise<number> };
  readonly admin: { listen(port: number): Promise<number> };
}

/** Resolves when both listen and the data folder says where. Rejects with the error of a port that cannot be had. */
export async function openDoors(
  { gateway, admin }: Doors,
  address: OwnAddress,
  { host, port, adminPort, adminTls, dataFolder }: Config,
  adminToken: string,
  certificates: Certificates,
): Promise<Addresses> {
  const adminUrl = baseUrl(adminTls === null ? "http" : "https", ADMIN_HOST, await admin.listen(adminPort));
  address.adminListensAt(adminUrl);
  address.listensOn(await gateway.listen(host, port));
  const { rest, ws } = address;
  certificates.follow((shown) => writeAdminFile(dataFolder, { admin: adminUrl, adminToken, rest, ...shown }));
  return { rest, ws, admin: adminUrl, adminToken };
}
