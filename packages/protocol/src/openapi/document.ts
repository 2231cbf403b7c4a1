/** The interface as an OpenAPI 3.1 document, made from the endpoint table. Served at /openapi.json. */
import { SIGNED_PARAMETERS } from "../check-parameter.ts";
import { needsSignature, type Parameter, type ParameterKind, type Security } from "../endpoint.ts";
import { ENDPOINTS, type KnownEndpoint, METHODS } from "../endpoints.ts";
import {
  CLIENT_ORDER_ID_PATTERN,
  DECIMAL_PATTERN,
  ED25519_SIGNATURE_PATTERN,
  LISTEN_KEY_PATTERN,
  SIGNATURE_PATTERN,
  SYMBOL_PATTERN,
  SYMBOLS_PATTERN,
} from "../patterns.ts";
import type { Examples } from "./examples/examples.ts";
import { MARKET_EXAMPLES } from "./examples/market.ts";
import { TRADING_EXAMPLES } from "./examples/trading.ts";
import { WALLET_EXAMPLES } from "./examples/wallet.ts";
import { WAPI_EXAMPLES } from "./examples/wapi.ts";
import { OPENAPI_DESCRIPTION, TAGS, tagOf } from "./prose.ts";

interface Schema {
  readonly [keyword: string]: unknown;
}

const SCHEMAS: Readonly<Record<ParameterKind, Schema>> = {
  symbol: { type: "string", pattern: SYMBOL_PATTERN },
  symbols: { type: "string", pattern: SYMBOLS_PATTERN },
  string: { type: "string", minLength: 1, maxLength: 256 },
  decimal: { type: "string", pattern: DECIMAL_PATTERN },
  integer: { type: "integer", format: "int64", minimum: 0 },
  limit: { type: "integer", minimum: 1 },
  enum: { type: "string" },
  clientOrderId: { type: "string", pattern: CLIENT_ORDER_ID_PATTERN },
  listenKey: { type: "string", pattern: LISTEN_KEY_PATTERN },
  boolean: { type: "boolean" },
  signature: { type: "string", pattern: `${SIGNATURE_PATTERN}|${ED25519_SIGNATURE_PATTERN}` },
};

/** A new document at each call: the caller may change it. `version` is that of the program. */
export function openApiDocument(version = "0"): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of ENDPOINTS) {
    for (const path of endpoint.paths) {
      const item = (paths[path] ??= {});
      item[endpoint.method.toLowerCase()] = operation(endpoint, path);
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: "Pricetime", version, description: OPENAPI_DESCRIPTION },
    servers: [{ url: "/" }],
    tags: TAGS,
    paths,
    components: { schemas: { Error: ERROR_SCHEMA }, securitySchemes: SECURITY_SCHEMES },
  };
}

const EXAMPLES: Examples = { ...MARKET_EXAMPLES, ...TRADING_EXAMPLES, ...WALLET_EXAMPLES, ...WAPI_EXAMPLES };

const ERROR_SCHEMA: Schema = {
  type: "object",
  required: ["code", "msg"],
  properties: { code: { type: "integer" }, msg: { type: "string" } },
  examples: [{ code: -1121, msg: "Invalid symbol." }],
};

const SECURITY_SCHEMES: Schema = {
  apiKey: { type: "apiKey", in: "header", name: "X-MBX-APIKEY" },
};

function operation(endpoint: KnownEndpoint, path: string): object {
  const parameters = needsSignature(endpoint) ? [...endpoint.parameters, ...SIGNED_PARAMETERS] : endpoint.parameters;
  const alias = endpoint.paths.indexOf(path);
  const example = EXAMPLES[endpoint.id];
  return {
    operationId: alias === 0 ? endpoint.id : `${endpoint.id}.alias${alias}`,
    summary: endpoint.summary,
    description: descriptionOf(endpoint, path),
    tags: [tagOf(endpoint)],
    ...(alias === 0 ? {} : { "x-alias-of": endpoint.paths[0] }),
    "x-security-type": endpoint.security,
    ...(endpoint.permission === undefined ? {} : { "x-permission": endpoint.permission }),
    ...(METHODS.includes(endpoint) ? { "x-websocket-method": endpoint.id } : {}),
    ...(typeof endpoint.weight === "number" ? { "x-weight": endpoint.weight } : {}),
    ...securityOf(endpoint.security),
    parameters: parameters.map(parameterObject),
    responses: {
      "200": {
        description: endpoint.family === "wapi" ? "Done; or rejected, and then `success` is false." : "Done.",
        content: { "application/json": example === undefined ? {} : { example } },
      },
      "4XX": {
        description: "Rejected.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
      "5XX": {
        description: "The outcome is unknown.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

const KEYS: Readonly<Record<Security, string>> = {
  NONE: "No key.",
  MARKET_DATA: "No key required; a key that is sent is checked.",
  USER_STREAM: "Needs an API key.",
  TRADE: "Signed, by a key that is allowed to trade.",
  USER_DATA: "Signed, by a key that is allowed to read.",
};
const ALLOWED: Readonly<Record<string, string>> = {
  TRADE: "The key must be allowed to trade.",
  WITHDRAW: "The key must be allowed to withdraw.",
};

/** Sentences for the reader, before the parameters. */
function descriptionOf(endpoint: KnownEndpoint, path: string): string {
  const { security, permission, weight, paths, either, exclusive = [] } = endpoint;
  const others = paths.filter((other) => other !== path).map((other) => `\`${other}\``);
  return [
    KEYS[security],
    ...(permission === undefined ? [] : [ALLOWED[permission]]),
    typeof weight === "number" ? `Weight ${weight}.` : "The weight depends on the parameters.",
    ...(either === undefined ? [] : [`One of ${either.map((name) => `\`${name}\``).join(", ")} must be sent.`]),
    ...exclusive.map(([one, other]) => `At most one of \`${one}\` and \`${other}\` can be sent.`),
    ...(METHODS.includes(endpoint) ? [`Over the WebSocket API: \`${endpoint.id}\`.`] : []),
    ...(others.length === 0 ? [] : [`Also available at ${others.join(", ")}.`]),
  ].join(" ");
}

function securityOf(security: Security): object {
  if (security === "NONE") return {};
  return { security: security === "MARKET_DATA" ? [{}, { apiKey: [] }] : [{ apiKey: [] }] };
}

function parameterObject(parameter: Parameter): object {
  const { name, required, note, words, repeated } = parameter;
  const one = {
    ...SCHEMAS[parameter.kind],
    ...(words === undefined ? {} : { enum: SCHEMAS[parameter.kind].type === "integer" ? words.map(Number) : words }),
    ...(parameter.kind === "limit" && parameter.max !== undefined ? { maximum: parameter.max } : {}),
    ...(parameter.default === undefined ? {} : { default: Number(parameter.default) }),
  };
  return {
    name,
    in: "query",
    required,
    ...(note === undefined ? {} : { description: note }),
    schema: repeated === true ? { type: "array", items: one } : one,
  };
}
