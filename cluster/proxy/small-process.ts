/** `small-process.ts FILE`: runs the small proxy with the configuration in the file until SIGTERM. */
import { readFileSync } from "node:fs";
import { SmallProxy, type Upstream } from "./small.ts";

export interface SmallProxyFile {
  readonly host: string;
  readonly port: number;
  readonly upstreams: readonly Upstream[];
}

const file = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as SmallProxyFile;
const proxy = new SmallProxy(file.upstreams);
process.on("SIGTERM", () => {
  proxy.close();
  process.exit(0);
});
await proxy.listen(file.host, file.port);
