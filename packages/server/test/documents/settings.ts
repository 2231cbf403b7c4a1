/** Settings, variables and flags, from the schema and the program: what their page must contain. */
import { Command } from "commander";
import { z } from "zod";
import { OTHERS, SETTINGS } from "../../src/platform/config/environment.ts";
import { addServeFlags } from "../../src/platform/config/flags.ts";
import { fileSchema } from "../../src/platform/config/schema.ts";

/** One row of the page, without the description. */
export interface SettingRow {
  /** `limits.rules[].limit`, `wallet.networks[kind: evm].rpcUrl`. */
  readonly key: string;
  readonly byDefault: string;
  readonly values: string;
}

/** How a setting is set without a file. */
export interface VariableRow {
  readonly variable: string;
  /** In code, with commas; "" when there is none. */
  readonly flags: string;
  readonly key: string;
}

interface Schema {
  readonly type?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

export function settingRows(): SettingRow[] {
  return rowsOf("", z.toJSONSchema(fileSchema, { io: "input" }) as Schema);
}

/** Variables that set no setting. */
export const OTHER_VARIABLES = OTHERS.map((name) => `PRICETIME_${name}`);

function rowsOf(path: string, { properties = {}, required = [], default: whole }: Schema): SettingRow[] {
  return Object.entries(properties).flatMap(([name, own]) => {
    // What a section is when it is left out says what is in it then.
    const schema: Schema = { default: (whole as Record<string, unknown> | undefined)?.[name], ...own };
    const key = path === "" ? name : `${path}.${name}`;
    if (schema.properties !== undefined) return rowsOf(key, schema);
    if (schema.const !== undefined) return [];
    const row = { key, byDefault: defaultOf(schema, required.includes(name)), values: valuesOf(schema) };
    return [row, ...rowsOfItems(key, schema.items)];
  });
}

function rowsOfItems(key: string, items: Schema | undefined): SettingRow[] {
  if (items?.oneOf === undefined) return rowsOf(`${key}[]`, items ?? {});
  // Agents, which a lab also takes by requests: docs/guides/lab-agents.md tells of their settings.
  if (items.oneOf.every(({ properties }) => properties?.["type"]?.const !== undefined)) return [];
  return items.oneOf.flatMap((kind) => rowsOf(`${key}[kind: ${String(kind.properties?.["kind"]?.const)}]`, kind));
}

function defaultOf(schema: Schema, isRequired: boolean): string {
  if (schema.default === undefined) return isRequired ? "required" : "none";
  if (schema.default === "") return "none";
  if (Array.isArray(schema.default)) return schema.default.length === 0 ? "none" : "see description";
  return `\`${typeof schema.default === "string" ? schema.default : JSON.stringify(schema.default)}\``;
}

const MOST = Number.MAX_SAFE_INTEGER;

function valuesOf({ type, enum: choices, minimum, maximum, exclusiveMinimum, items, format }: Schema): string {
  if (choices !== undefined) return choices.map((each) => `\`${String(each)}\``).join(", ");
  if (type === "boolean") return "`true`, `false`";
  if (type === "array") return items?.enum === undefined ? "list" : `list of ${valuesOf(items)}`;
  if (type === "integer")
    return maximum === undefined || maximum === MOST ? `${minimum} or more` : `${minimum} to ${maximum}`;
  if (type === "number") return `greater than ${exclusiveMinimum ?? minimum}, at most ${maximum}`;
  return format === "uri" ? "URL" : "text";
}

/** Flags whose setting has another name. */
const SETTING_OF_FLAG: Readonly<Record<string, string>> = {
  limits: "limits.enabled",
  cluster: "cluster.endpoints",
  tlsCert: "tls.certFile",
  tlsKey: "tls.keyFile",
};

export function variableRows(): VariableRow[] {
  return Object.entries(SETTINGS).map(([name, [key]]) => {
    const flags = addServeFlags(new Command()).options.filter(
      (option) => (SETTING_OF_FLAG[option.attributeName()] ?? option.attributeName()) === key,
    );
    return { variable: `PRICETIME_${name}`, flags: flags.map(({ long }) => `\`${long}\``).join(", "), key };
  });
}
