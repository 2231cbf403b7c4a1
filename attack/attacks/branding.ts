/** Names, support addresses and logos in the configuration that would become markup or code in the pages. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Exchange } from "@pricetime/testkit/venue";
import { type Attack, type Campaign, Checks, type Row } from "../attack.ts";
import type { Scope } from "../scope.ts";
import { isPlainRefusal, tryToStart, whyNot } from "../starts.ts";

const MARKUP = `"><script>alert(1)</script>`;

/** The beginning of a PNG file, which the rest of the bytes does not continue. */
function png(width: number, height: number, rest = ""): Buffer {
  const head = Buffer.from("89504e470d0a1a0a0000000d4948445200000000000000000806000000", "hex");
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return Buffer.concat([head, Buffer.from(rest)]);
}

const LOGOS: readonly (readonly [what: string, bytes: Buffer])[] = [
  ["HTML as a PNG", Buffer.from(`<!doctype html>${MARKUP}`)],
  ["an SVG with a script", Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`)],
  ["60,000 x 60,000 pixels", png(60_000, 60_000)],
  ["a large file", Buffer.concat([png(64, 64), Buffer.alloc(8 * 1024 * 1024)])],
];

async function startBranded(scope: Scope, branding: object, logo?: Buffer) {
  const folder = scope.folder();
  if (logo !== undefined) writeFileSync(join(folder, "logo.png"), logo);
  const config = join(folder, "pricetime.yaml");
  const logoFile = logo === undefined ? {} : { logoFile: join(folder, "logo.png") };
  writeFileSync(config, JSON.stringify({ branding: { ...branding, ...logoFile } }));
  return tryToStart(scope, { dataFolder: join(folder, "data"), args: ["--no-demo", "--config", config] });
}

async function rejectedStarts(scope: Scope): Promise<Row> {
  const checks = new Checks();
  const seen: string[] = [];
  for (const [what, bytes] of LOGOS) {
    const start = await startBranded(scope, {}, bytes);
    checks.expect(`a start without ${what}`, isPlainRefusal(start));
    if (start.exchange !== undefined) seen.push(whyNot(start));
  }
  for (const support of ["javascript:alert(1)", "data:text/html,x"]) {
    checks.expect(`${support} is no support address`, isPlainRefusal(await startBranded(scope, { support })));
  }
  checks.observe(seen.length === 0 ? "no start" : seen.join("; "));
  const does = `logos: ${LOGOS.map(([what]) => what).join(", ")}; support addresses with a script`;
  return checks.row("branding", does, "the start exits with one line and code 1");
}

async function served({ rest }: Exchange): Promise<Row> {
  const checks = new Checks();
  const page = await (await fetch(`${rest}/account/`, { headers: { Accept: "text/html" } })).text();
  checks.expect("the name is text", !page.includes("<script>alert") && page.includes("&lt;script&gt;alert"));
  const [, path = "none"] = /data-logo href="\.\.\/(branding\/[^"]+)"/.exec(page) ?? [];
  const logo = await fetch(`${rest}/${path}`);
  await logo.arrayBuffer();
  const header = (name: string): string => logo.headers.get(name) ?? "none";
  checks.observe(`${logo.status} ${header("content-type")}, ${header("x-content-type-options")}`);
  checks.expect("the logo is an image and nothing else", header("content-type") === "image/png");
  checks.expect("browsers do not guess its type", header("x-content-type-options") === "nosniff");
  const confirmation = await (await fetch(`${rest}/withdraw/confirm`)).text();
  checks.expect("the name is text in the confirmation page", !confirmation.includes("<script"));
  const does = "a name with a script, and a logo that begins as a PNG and continues as HTML";
  return checks.row("branding", does, "the name is text; the logo is served as `image/png` with `nosniff`");
}

async function run({ scope }: Campaign): Promise<Row[]> {
  const rows = [await rejectedStarts(scope)];
  const start = await startBranded(scope, { name: MARKUP }, png(64, 64, `<!doctype html>${MARKUP}`));
  if (start.exchange === undefined) throw new Error(start.said);
  return [...rows, await served(start.exchange)];
}

export const branding: Attack = { name: "branding", run };
