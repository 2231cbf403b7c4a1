/** The API reference: shows the OpenAPI document in Swagger UI, and signs requests before they are sent. */
import { hmac } from "./hmac.js";
import { sha256 } from "./sha2.js";
import { bytesToHex, utf8ToBytes } from "./utils.js";
import { loadReference } from "./swagger.js";

const field = (id) => document.getElementById(id);
const ADDED_WHEN_SIGNED = new Set(["timestamp", "signature"]);
const OPERATIONS = ["get", "post", "put", "delete"];
/** Default parameters of an order besides its symbol. The price is far below the demo's, so that the order rests. */
const ORDER = { timeInForce: "GTC", quantity: "0.01", price: "20000" };

/** How far the exchange's clock is ahead of this machine's, in milliseconds. */
let clockAheadMs = 0;
/** Whether an operation, such as `POST /api/v3/order`, needs a key and a signature. */
const wants = new Map();

chooseAccounts();
const [text] = await Promise.all([fetchDocument(), readClock()]);
loadReference({ spec: forReading(text), requestInterceptor: prepare });

function chooseAccounts() {
  const chooser = field("account");
  chooser?.addEventListener("change", () => {
    const { key, secret } = chooser.selectedOptions[0].dataset;
    field("api-key").value = key;
    field("secret-key").value = secret;
  });
  field("keys").addEventListener("submit", (event) => event.preventDefault());
}

async function fetchDocument() {
  const answer = await fetch(field("reference").dataset.document);
  return answer.json();
}

async function readClock() {
  const asked = Date.now();
  const { serverTime } = await (await fetch("/api/v3/time")).json();
  clockAheadMs = serverTime - (asked + Date.now()) / 2;
}

/** Removes the parameters that this page adds itself, and alternative paths of endpoints. */
function forReading(spec) {
  for (const [path, item] of Object.entries(spec.paths)) {
    for (const method of OPERATIONS.filter((name) => name in item)) {
      const operation = item[method];
      const isSigned = operation.parameters.some(({ name }) => name === "signature");
      wants.set(`${method.toUpperCase()} ${path}`, { key: operation.security !== undefined, isSigned });
      operation.parameters = operation.parameters.filter(({ name }) => !isSigned || !ADDED_WHEN_SIGNED.has(name));
      for (const parameter of operation.parameters) suggest(parameter, operation.operationId);
      delete operation.security;
      if (operation["x-alias-of"] !== undefined) delete item[method];
    }
    if (Object.keys(item).length === 0) delete spec.paths[path];
  }
  delete spec.components.securitySchemes;
  return spec;
}

/** Fills in example values, so that a request can be tried at once. */
function suggest(parameter, operationId) {
  const { symbol } = field("reference").dataset;
  if (symbol === "") return;
  if (parameter.name === "symbol" && parameter.required) parameter.example = symbol;
  if (symbol === "BTCUSDT" && /^order\.(?:place|test)$/.test(operationId)) {
    parameter.example ??= ORDER[parameter.name];
  }
}

/** Adds key, timestamp and signature. Requests to other hosts are not sent. */
function prepare(request) {
  const url = new URL(request.url, location.origin);
  if (url.origin !== location.origin) throw new Error("This page sends nothing to other hosts.");
  const wanted = wants.get(`${request.method} ${url.pathname}`);
  const apiKey = field("api-key").value.trim();
  if (wanted?.key && apiKey !== "") request.headers["X-MBX-APIKEY"] = apiKey;
  if (wanted?.isSigned) request.url = signed(url);
  return request;
}

function signed(url) {
  const timestamp = Math.round(Date.now() + clockAheadMs);
  const payload = `${url.search.slice(1)}${url.search.length > 1 ? "&" : ""}timestamp=${timestamp}`;
  const secret = field("secret-key").value.trim();
  const signature = bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(payload)));
  field("signed").hidden = false;
  field("signed-text").textContent = payload;
  field("signature").textContent = signature;
  return `${url.origin}${url.pathname}?${payload}&signature=${signature}`;
}
