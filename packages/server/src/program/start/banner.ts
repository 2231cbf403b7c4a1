/** The text that a node prints when it is ready: its addresses and first steps. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { EngineView } from "@pricetime/engine";
import type { Config } from "../../platform/config/config.ts";
import type { DemoShown } from "../../lab/demo/port.ts";
import { type Addresses, isOwnMachine } from "./address.ts";
import { VERSION } from "./version.ts";

/**
 * Returns how to call the command line: `npx pricetime` if it is installed. A program in npx's cache is not installed,
 * so the result names the same package specification; otherwise npm would look for another package of that name.
 *
 * @param program - the path of the running program
 */
export function commandToType(program: string): string {
  const [cache, inside] = program.split(/(?<=[\\/]_npx[\\/][^\\/]+)[\\/]node_modules[\\/]/);
  const asked = cache === undefined || inside === undefined ? undefined : askedOfNpx(cache);
  if (asked === undefined) return "npx pricetime";
  return `npx --yes ${/^[\w./:@\\-]+$/.test(asked) ? asked : `"${asked}"`}`;
}

/** Reads from npx's cache which package it was asked to run. Undefined for caches of other npm versions. */
function askedOfNpx(cache: string): string | undefined {
  try {
    const { _npx: noted } = JSON.parse(readFileSync(join(cache, "package.json"), "utf8")) as Record<string, unknown>;
    const [asked] = (noted as { packages?: unknown[] } | undefined)?.packages ?? [];
    return typeof asked === "string" ? asked : undefined;
  } catch {
    return undefined;
  }
}

export interface BannerParts {
  readonly version: string;
  /** How to call the command line, such as `npx pricetime`. */
  readonly command: string;
  /** Such as `http://127.0.0.1:8080`. */
  readonly rest: string;
  /** Such as `ws://127.0.0.1:8080`. */
  readonly ws: string;
  readonly admin: string;
  readonly dataFolder: string;
  readonly symbols: readonly string[];
  readonly limits: boolean;
  /** Whether other machines can connect. */
  readonly isOpenToOthers: boolean;
  /** Null if the node is not a demo. */
  readonly demo: DemoShown | null;
  /** Lines about the lab; empty if the node is not a lab. */
  readonly lab: readonly (readonly [name: string, text: string])[];
}

const WIDTH = 80;
const LABEL_WIDTH = 13;
/** Above this number of symbols, only the number is shown. */
const MOST_SYMBOLS = 30;

export function bannerOf(
  config: Config,
  { rest, ws, admin }: Addresses,
  view: EngineView,
  demo: DemoShown | null,
  lab: BannerParts["lab"],
): string {
  return banner({
    version: VERSION,
    command: commandToType(process.argv[1] ?? ""),
    ...{ rest, ws, admin },
    dataFolder: config.dataFolder,
    symbols: view.markets().map(({ spec }) => spec.symbol),
    limits: config.limits.enabled,
    isOpenToOthers: !isOwnMachine(config.host),
    demo,
    lab,
  });
}

/** The lines printed before the ready line. */
export function banner(parts: BannerParts): string {
  const { version, rest, ws, admin, dataFolder, symbols, demo } = parts;
  const onOff = (on: boolean): string => (on ? "on" : "off");
  const bots = demo === null ? "" : `bots ${onOff(demo.bots)}, `;
  const lines = [
    "",
    `Pricetime ${version}${demo === null ? "" : ", a demo exchange"}${parts.lab.length === 0 ? "" : ", a lab"}`,
    "",
    ...entry("pages", `${rest}/`),
    ...entry("docs", `${rest}/docs`),
    ...entry("REST", rest),
    ...entry("WebSocket", `${ws}/ws, /stream and /ws-api/v3`),
    ...entry("console", `${admin}/`),
    ...entry("data", dataFolder),
    ...entry("symbols", symbols.length > MOST_SYMBOLS ? String(symbols.length) : symbols.join(" ") || "none yet"),
    ...entry("", `${bots}limits ${onOff(parts.limits)}`),
    ...parts.lab.flatMap(([name, text]) => entry(name, text)),
    "",
    ...(demo === null ? operating(parts) : trading(parts, demo)),
    ...(parts.isOpenToOthers && demo !== null
      ? ["Warning: other machines can reach this demo. Its API keys are publicly known.", ""]
      : []),
  ];
  return lines.join("\n");
}

function trading({ command, dataFolder }: BannerParts, { accounts, subAccounts }: DemoShown): string[] {
  const [first, ...others] = accounts;
  if (first === undefined) return [];
  const names = [...others, ...subAccounts].map(({ name }) => name);
  return [
    "Trade from another terminal in this folder:",
    "",
    `  ${command} order BTCUSDT buy 0.01 at 20000${dataFlag(dataFolder)}`,
    "",
    `API key of the demo account ${first.name}, which has funds. The key is publicly known:`,
    "",
    ...entry("API key", first.apiKey),
    ...entry("API secret", first.secretKey),
    "",
    `demo.json in the data folder has the keys of ${names.slice(0, -1).join(", ")} and ${names.at(-1)}.`,
    "",
  ];
}

function operating({ command, dataFolder }: BannerParts): string[] {
  return [
    "Operate the exchange from another terminal in this folder:",
    "",
    `  ${command} account list${dataFlag(dataFolder)}`,
    "",
  ];
}

/** The `--data` flag for examples; "" if the commands find the folder by default. */
function dataFlag(dataFolder: string): string {
  if (dataFolder === resolve("data")) return "";
  return ` --data ${/^[\w./:\\-]+$/.test(dataFolder) ? dataFolder : `"${dataFolder}"`}`;
}

/** Formats `  name  text`. Long text is wrapped within its column. */
function entry(name: string, text: string): string[] {
  const room = WIDTH - LABEL_WIDTH;
  const folded = [""];
  for (const word of text.split(" ")) {
    const last = folded.at(-1) ?? "";
    if (last === "") folded[folded.length - 1] = word;
    else if (last.length + 1 + word.length > room) folded.push(word);
    else folded[folded.length - 1] = `${last} ${word}`;
  }
  return folded.map((line, at) => `  ${(at === 0 ? name : "").padEnd(LABEL_WIDTH - 2)}${line}`);
}
