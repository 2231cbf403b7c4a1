/** The admin API's OpenAPI document: its operations, and the schemas from which forms are generated. */
import type { Json, Method } from "../pages/request.ts";

export type { Json } from "../pages/request.ts";

/** An operator action of an approval request: its type and values. */
export interface RequestedAction {
  readonly type: string;
  readonly [name: string]: Json;
}

/** The part of JSON Schema that the admin API uses. */
export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** The schema of additional fields; false if they are not allowed. */
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly const?: Json;
  readonly default?: Json;
  readonly examples?: readonly Json[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required?: boolean;
  readonly schema: Schema;
}

/** The value of `needs` for routes that need no token and therefore document no right. */
const NO_NEED = "nothing";

export interface Operation {
  /** Method and path, as in the OpenAPI document: `PUT /v1/symbols/{symbol}/status`. */
  readonly key: string;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  /** The description of a successful response. */
  readonly answers: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  /** Whether the response is a file rather than JSON. */
  readonly isFile: boolean;
  /** The right that the operation requires, as in `Me`; "nothing" if it requires no token. */
  readonly needs: string;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
  readonly description?: string;
}
interface Described {
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content>>;
  readonly "x-needs"?: string;
}
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

/** All operations by key. */
export function operationsOf({ paths }: OpenApi): Map<string, Operation> {
  const found = new Map<string, Operation>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [name, described] of Object.entries(methods)) {
      const operation = operationOf(path, name.toUpperCase() as Method, described);
      found.set(operation.key, operation);
    }
  }
  return found;
}

function operationOf(path: string, method: Method, described: Described): Operation {
  const { summary = "", parameters = [], requestBody, responses = {} } = described;
  const [, done] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  return {
    key: `${method} ${path}`,
    method,
    path,
    summary,
    answers: done?.description ?? "",
    parameters,
    body: requestBody?.content?.["application/json"]?.schema ?? null,
    needs: described["x-needs"] ?? NO_NEED,
    isFile: done?.content !== undefined && !("application/json" in done.content),
  };
}

/** The path of an operation with parameters filled in. Parameters without a value stay as placeholders. */
export function pathWith({ path }: Pick<Operation, "path">, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined || value === "" ? whole : encodeURIComponent(value);
  });
}
