/**
 * Attacks by someone who has the bytes of others' requests, or their browser: replays, other Host names, altered signed
 * requests.
 */
import { Client, ed25519Key, encode, sign } from "@pricetime/testkit/client";
import { type DemoAccount, type Exchange, registerEd25519, startExchange } from "@pricetime/testkit/venue";
import { comes } from "@pricetime/testkit/waiting";
import { ApiClient } from "@pricetime/testkit/ws-client";
import { type Attack, type Campaign, Checks, type Row } from "../attack.ts";
import { openHostile, statuses } from "../hostile.ts";

const ANSWER_MS = 5_000;
const REPLAYS = 3;

async function replayedLogon(exchange: Exchange): Promise<Row> {
  const checks = new Checks();
  const { apiKey, privateKey } = await registerEd25519(exchange, exchange.accounts[1]?.email ?? "");
  const key = ed25519Key(apiKey, privateKey);
  const timestamp = Date.now();
  const payload = `apiKey=${apiKey}&recvWindow=60000&timestamp=${timestamp}`;
  const params = { apiKey, recvWindow: 60_000, timestamp, signature: key.sign(payload) };
  const frame = JSON.stringify({ id: "logon", method: "session.logon", params });
  const logOn = async (): Promise<number> => {
    const client = await ApiClient.open(exchange.ws);
    const { status } = await client.raw(frame, "logon");
    client.socket.terminate();
    return status;
  };
  checks.expect("the owner is logged on", (await logOn()) === 200);
  const answers: number[] = [];
  for (let i = 0; i < REPLAYS; i++) answers.push(await logOn());
  checks.observe(`the replays got ${answers.join(", ")}`);
  checks.expect(
    "it works once",
    answers.every((status) => status !== 200),
  );
  const does = `a signed \`session.logon\` is sent again ${REPLAYS} times, on other connections`;
  return checks.row("replays", does, "it works once");
}

const HOSTS = ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example"];
const PATHS = ["/metrics", "/healthz", "/readyz", "/v1/accounts"];

async function otherHosts({ admin, adminToken }: Exchange): Promise<Row> {
  const checks = new Checks();
  const port = Number(new URL(admin).port);
  const ask = async (path: string, host: string): Promise<number | undefined> => {
    const authorization = `Authorization: Bearer ${adminToken}\r\n`;
    const first = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${authorization}Connection: close\r\n\r\n`;
    const hostile = openHostile({ port, first });
    await comes(() => hostile.isClosed, { withinMs: ANSWER_MS });
    hostile.socket.destroy();
    return statuses(hostile.text)[0];
  };
  let answered = 0;
  for (const path of PATHS) {
    for (const host of HOSTS) {
      const status = await ask(path, host);
      if (status !== undefined && status < 400) answered++;
    }
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
      checks.expect(`${path} is served as ${host}`, (await ask(path, host)) === 200);
    }
  }
  const asked = PATHS.length * HOSTS.length;
  checks.observe(`${answered} of ${asked} answered`);
  checks.expect("no route answers other names", answered === 0);
  const does = `${PATHS.join(", ")} of the admin port with foreign Host names, as in DNS rebinding`;
  return checks.row("host names", does, "refused");
}

const ORDER = "symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC&price=20000&quantity=0.001&newClientOrderId=";
/** Orders with a plain client order ID, and with one that contains separators. */
const MEANT = [`${ORDER}plain`, `${ORDER}a%26quantity%3D9`];

/** Altered parameters whose bytes, or whose decoded text, resemble the signed ones. */
const TAMPERINGS: readonly (readonly [what: string, change: (signed: string) => string])[] = [
  ["an encoded & is decoded", (text) => text.replace("%26", "&")],
  ["an encoded & and = are decoded", (text) => text.replace("%26", "&").replace("%3D", "=")],
  ["a plain & is encoded", (text) => text.replace("&price", "%26price")],
  ["all plain & are encoded", (text) => text.replaceAll("&", "%26")],
  ["a plain = is encoded", (text) => text.replace("price=", "price%3D")],
  ["encoded twice", (text) => text.replace("%26", "%2526").replace("%3D", "%253D")],
  ["an & that is a character's second half", (text) => text.replace("%26", "%C0%A6")],
  ["a parameter in front", (text) => `quantity=9&${text}`],
  ["a parameter behind", (text) => `${text}&quantity=9`],
  ["a part moved behind a #", (text) => text.replace("&newClientOrderId", "%23&newClientOrderId")],
  ["another quantity", (text) => text.replace("quantity=0.001", "quantity=0.002")],
  ["an encoded zero byte", (text) => text.replace("BTCUSDT", "BTCUSDT%00")],
];

interface Forged {
  readonly what: string;
  readonly text: string;
}

/** Each with a signature of the original: of its bytes, and of its decoded text. */
function forgeries(secretKey: string): Forged[] {
  return MEANT.flatMap((order) => {
    const text = `${order}&${encode({ timestamp: Date.now() })}`;
    const signatures = new Set([sign(secretKey, text), sign(secretKey, decodeURIComponent(text))]);
    return TAMPERINGS.filter(([, change]) => change(text) !== text).flatMap(([what, change]) =>
      [...signatures].map((signature) => ({ what, text: `${change(text)}&signature=${signature}` })),
    );
  });
}

async function tampered(exchange: Exchange): Promise<Row> {
  const checks = new Checks();
  const account = exchange.accounts[2] as DemoAccount;
  const client = new Client(exchange.rest, account);
  const headers = { "X-MBX-APIKEY": account.apiKey };
  let sent = 0;
  try {
    for (const { what, text } of forgeries(account.secretKey)) {
      for (const where of ["query", "body"]) {
        sent++;
        const { status } = await client.send("POST", "/api/v3/order", { [where]: text, headers });
        checks.expect(`refused: ${what}, in the ${where}`, status >= 400 && status < 500);
      }
    }
    const { json } = await client.signed<unknown[]>("GET", "/api/v3/openOrders");
    checks.expect("no order is open", json.length === 0);
  } finally {
    client.close();
  }
  checks.observe(`${sent} sent, ${sent - checks.failed} rejected`);
  const does =
    "signed orders with separators encoded, decoded, encoded twice, and parameters inserted; in query and body";
  return checks.row("signatures", does, "rejected; no order is placed");
}

async function run({ scope }: Campaign): Promise<Row[]> {
  const exchange = await startExchange({ dataFolder: scope.folder(), args: ["--bots", "off", "--limits", "off"] });
  scope.defer(() => exchange.kill());
  return [await replayedLogon(exchange), await otherHosts(exchange), await tampered(exchange)];
}

export const replays: Attack = { name: "replays", run };
