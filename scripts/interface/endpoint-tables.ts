/** The Markdown tables of endpoints in docs/interface, from the endpoint table of the protocol. */
import {
  ENDPOINTS,
  type Endpoint,
  type KnownEndpoint,
  METHODS,
  needsSignature,
  type Parameter,
  type ParameterKind,
} from "@pricetime/protocol";
import { code, list, table } from "./markdown.ts";

/** The sections that describe endpoints. */
const SECTIONS = ["4.1", "4.2", "4.3", "4.4", "4.5", "4.6", "11.4"] as const;
export type EndpointSection = (typeof SECTIONS)[number];

/** The types of Interface 1.9. */
const TYPES: Readonly<Record<ParameterKind, string>> = {
  symbol: "STRING",
  string: "STRING",
  decimal: "DECIMAL",
  integer: "LONG",
  time: "LONG",
  duration: "DECIMAL",
  limit: "INT",
  enum: "ENUM",
  clientOrderId: "STRING",
  listenKey: "STRING",
  symbols: "ARRAY",
  timeZone: "STRING",
  windowSize: "STRING",
  boolean: "BOOLEAN",
  signature: "STRING",
};

export function sectionOf({ id, family, security, paths }: Endpoint): EndpointSection {
  if (paths.length === 0) return "11.4";
  if (family === "wapi") return "4.5";
  if (family === "sapi" || paths[0]?.startsWith("/api/") === false) return "4.6";
  if (id.startsWith("userDataStream.")) return "4.4";
  if (/^(?:all|open)?orderList/i.test(id)) return "4.3";
  return security === "NONE" || security === "MARKET_DATA" ? "4.1" : "4.2";
}

export function allEndpoints(): readonly KnownEndpoint[] {
  return [...new Set([...ENDPOINTS, ...METHODS])];
}

/** The endpoints of a section, one per line. */
export function endpointList(section: string): string {
  const rows = allEndpoints().filter((endpoint) => sectionOf(endpoint) === section);
  if (rows.length === 0) throw new Error(`no endpoint belongs to section ${section}`);
  return table(
    ["endpoint", "security", "weight", "description"],
    rows.map((row) => [
      row.paths.length === 0 ? code(row.id) : requestOf(row),
      row.security,
      shortWeight(row),
      row.summary,
    ]),
  );
}

function requestOf({ method, paths }: Endpoint): string {
  return code(`${method} ${paths[0]}`);
}

/** One endpoint: its method and path, its weight, and its parameters. */
export function endpointTable(id: string): string {
  const endpoint = allEndpoints().find((row) => row.id === id);
  if (endpoint === undefined) throw new Error(`no endpoint is called ${id}`);
  return `${facts(endpoint)}\n\n${parameterTable(endpoint)}`;
}

function facts(endpoint: KnownEndpoint): string {
  const { method, paths, security, permission, id } = endpoint;
  const [, ...aliases] = paths;
  const isMethod = METHODS.includes(endpoint);
  return list([
    ...(paths.length === 0 ? [] : [`Request: ${requestOf(endpoint)}`]),
    ...(aliases.length === 0 ? [] : [`Also at: ${aliases.map((path) => code(`${method} ${path}`)).join(", ")}`]),
    `Security: ${security}${securityWords(endpoint)}`,
    ...(permission === undefined ? [] : [`Required permission of the key: ${permission}`]),
    `Weight: ${weightWords(endpoint)}`,
    ...(isMethod ? [`WebSocket API: ${code(id)}`] : []),
  ]);
}

function securityWords(endpoint: Endpoint): string {
  if (needsSignature(endpoint)) return " (API key and signature)";
  if (endpoint.security === "MARKET_DATA") return " (public; an API key that is sent is checked)";
  return endpoint.security === "NONE" ? "" : " (API key)";
}

function parameterTable(endpoint: Endpoint): string {
  const { parameters } = endpoint;
  const signed = needsSignature(endpoint)
    ? "`recvWindow`, `timestamp` and `signature` ([5.6](5-authentication.md#56-time))"
    : "";
  if (parameters.length === 0) return signed === "" ? "No parameters." : `No parameters except ${signed}.`;
  const rows = parameters.map((row) => [code(row.name), TYPES[row.kind], requiredWord(endpoint, row), noteOf(row)]);
  const shown = table(["parameter", "type", "required", ""], rows);
  return signed === "" ? shown : `${shown}\n\nAlso ${signed}.`;
}

function requiredWord({ either }: Endpoint, { name, required, conditional, replacedBy }: Parameter): string {
  if (either?.includes(name) === true) return "one of them";
  if (conditional === true || replacedBy !== undefined) return "by type";
  return required ? "yes" : "no";
}

function noteOf(parameter: Parameter): string {
  const { kind, words, wrongWord, default: byDefault, max, repeated, note } = parameter;
  const beyond = kind === "symbols" ? "more are rejected (-1101)" : "larger values are reduced to it";
  const otherwise = wrongWord === undefined ? "" : ` (otherwise ${wrongWord})`;
  return [
    ...(words === undefined ? [] : [`${words.map(code).join(", ")}${otherwise}.`]),
    ...(byDefault === undefined ? [] : [`Default ${byDefault}.`]),
    ...(max === undefined || words !== undefined ? [] : [`At most ${max}; ${beyond}.`]),
    ...(repeated === true ? ["Can be repeated."] : []),
    ...(note === undefined ? [] : [note]),
  ].join(" ");
}

// Weights are computed by the endpoint table, for requests that differ in the relevant parameters.

type Sent = Readonly<Record<string, string>>;

function weigh({ weight }: Endpoint, sent: Sent): number {
  return typeof weight === "number" ? weight : weight(new Map(Object.entries(sent)));
}

function shortWeight(endpoint: Endpoint): string {
  if (typeof endpoint.weight === "number") return String(endpoint.weight);
  const words = endpoint.parameters.find(({ name }) => name === "limit")?.words ?? [];
  const weights = [
    weigh(endpoint, {}),
    weigh(endpoint, { symbol: "A" }),
    ...(takesInterval(endpoint) ? [weigh(endpoint, { symbol: "A", interval: "1s" })] : []),
    ...words.map((limit) => weigh(endpoint, { symbol: "A", limit })),
  ];
  return [...new Set(weights)].sort((one, other) => one - other).join(", ");
}

function weightWords(endpoint: Endpoint): string {
  if (typeof endpoint.weight === "number") return String(endpoint.weight);
  const limits = endpoint.parameters.find(({ name }) => name === "limit")?.words;
  if (limits !== undefined) return byLimit(endpoint, limits);
  const one = weigh(endpoint, { symbol: "A" });
  const all = weigh(endpoint, {});
  if (one === all && takesInterval(endpoint)) {
    const seconds = weigh(endpoint, { symbol: "A", interval: "1s" });
    return `${one}; ${seconds} with ${code("interval")} ${code("1s")} or a ${code("timeZone")} other than UTC`;
  }
  const takesSymbols = endpoint.parameters.some(({ name }) => name === "symbols");
  const some = takesSymbols
    ? `, ${one} for each entry of ${code("symbols")} (at most ${weigh(endpoint, SYMBOLS)})`
    : "";
  const without = endpoint.either === undefined ? `, ${all} without` : "";
  return `${one} with ${code("symbol")}${some}${without}`;
}

function takesInterval({ parameters }: Endpoint): boolean {
  return parameters.some(({ name }) => name === "interval");
}

/** More symbols than any weight depends on. */
const SYMBOLS: Sent = { symbols: Array.from({ length: 5000 }, () => '"A"').join(",") };

function byLimit(endpoint: Endpoint, limits: readonly string[]): string {
  const byWeight = new Map<number, string[]>();
  for (const limit of limits) {
    const weight = weigh(endpoint, { limit });
    byWeight.set(weight, [...(byWeight.get(weight) ?? []), limit]);
  }
  return [...byWeight].map(([weight, of]) => `${weight} with ${code("limit")} ${of.join(", ")}`).join("; ");
}
