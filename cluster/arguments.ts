/** The command line of `npm run cluster --`. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";

export const USAGE = `npm run cluster -- [options]                start a cluster on this machine, or continue one
npm run cluster -- node NAME [--data DIR]   start a stopped node again
npm run cluster -- etcd NAME [--data DIR]   start a stopped etcd member again
npm run cluster -- stop [--data DIR]        stop the cluster, as Ctrl-C in its terminal does

  --nodes N         number of nodes (3)
  --data DIR        data folder (./data/cluster)
  --port PORT       port of the proxy, for clients (8080; 0: any free port)
  --demo, --no-demo demo symbols and accounts (the default), or an empty exchange
  --bots on|off     demo market makers and takers (on)
  --limits on|off   request and order rate limits (on)

The folder stores these options. Start again without them to continue with the same ones.
`;

const MOST_NODES = 16;
const DEFAULT_FOLDER = "./data/cluster";

/** The options of a cluster folder. */
export interface Settings {
  readonly nodes: number;
  /** 0: any free port. */
  readonly port: number;
  readonly demo: boolean;
  readonly bots: "on" | "off";
  readonly limits: "on" | "off";
}

export const DEFAULTS: Settings = { nodes: 3, port: 8080, demo: true, bots: "on", limits: "on" };

export type Kind = "node" | "etcd";

export type ClusterCommand =
  | { readonly what: "help" }
  | { readonly what: "run"; readonly folder: string; readonly given: Partial<Settings> }
  | { readonly what: "again"; readonly folder: string; readonly kind: Kind; readonly name: string }
  | { readonly what: "stop"; readonly folder: string };

/** A user error, whose message is printed as one line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Parses `process.argv.slice(2)`; throws `UsageError`. */
export function parseCommand(argv: readonly string[]): ClusterCommand {
  const { values, positionals } = parsed(argv);
  if (values.help === true) return { what: "help" };
  const folder = resolve(values.data ?? DEFAULT_FOLDER);
  const [word, name, ...more] = positionals;
  if (word === undefined) return { what: "run", folder, given: settingsOf(values) };
  const options = Object.keys(values).filter((key) => key !== "data");
  if (options[0] !== undefined) throw new UsageError(`--${options[0]} does not apply to '${word}'`);
  if (word === "stop" && name === undefined) return { what: "stop", folder };
  const isKind = word === "node" || word === "etcd";
  if (!isKind || more.length > 0) throw new UsageError(`'${positionals.join(" ")}' is not a command. See --help`);
  if (name === undefined) throw new UsageError(`Missing name: ${word} NAME`);
  return { what: "again", folder, kind: word, name };
}

type Values = ReturnType<typeof parsed>["values"];

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        nodes: { type: "string" },
        data: { type: "string" },
        port: { type: "string" },
        demo: { type: "boolean" },
        "no-demo": { type: "boolean" },
        bots: { type: "string" },
        limits: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message.split("\n")[0]?.replace(/\. .*/, "") ?? "", { cause: error });
  }
}

function settingsOf(values: Values): Partial<Settings> {
  const { nodes, port, bots, limits, demo } = values;
  const isDemo = values["no-demo"] === true ? false : demo;
  if (demo === true && isDemo === false) throw new UsageError("use either --demo or --no-demo");
  return {
    ...(nodes === undefined ? {} : { nodes: numberOf("nodes", nodes, 1, MOST_NODES) }),
    ...(port === undefined ? {} : { port: numberOf("port", port, 0, 65_535) }),
    ...(isDemo === undefined ? {} : { demo: isDemo }),
    ...(bots === undefined ? {} : { bots: switchOf("bots", bots) }),
    ...(limits === undefined ? {} : { limits: switchOf("limits", limits) }),
  };
}

function numberOf(name: string, text: string, least: number, most: number): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (value >= least && value <= most) return value;
  throw new UsageError(`--${name} must be a whole number from ${least} to ${most}, not '${text}'`);
}

function switchOf(name: string, text: string): "on" | "off" {
  if (text === "on" || text === "off") return text;
  throw new UsageError(`--${name} must be on or off, not '${text}'`);
}
