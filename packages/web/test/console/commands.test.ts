/**
 * The console offers every command of the command line, except those that need a data folder, a key or a stopped node.
 * The commands are taken from the page that a test compares with the program, their requests from its source.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "@pricetime/testkit/venue";
import { ROUTES } from "../../src/console/routes.ts";

/** Commands, or groups of commands, that the console does not have, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  serve: "starts the node that serves the pages",
  lab: "the terminal's strip holds a lab; files and programs are the user's own",
  book: "the terminal",
  trades: "the terminal",
  order: "the terminal",
  cancel: "the terminal",
  orders: "the terminal",
  balances: "the terminal",
  "cluster bootstrap": "before any node runs",
  "cluster compare": "compares data folders",
  "cluster detach": "a node that is stopped",
  "journal verify": "replays a data folder, for as long as that takes; the page checks the chain of what it shows",
  "journal migrate": "moves a data folder",
  history: "works on the data folder of a node that is stopped, or checks one",
  export: "replays a data folder into files of the operator's machine",
  backup: "copies a data folder to another place of that machine",
  restore: "before the node runs",
  "proof verify": "without a node, which is its point; the page checks a customer's part",
  "proof key": "the key of a data folder",
  signer: "keys of another machine",
  "symbol import": "reads another exchange and adds symbols one by one, as `symbol add`",
};

/** Every other command with the route that it requests. */
const ASKS: Readonly<Record<string, string>> = {
  "account open": "POST /v1/accounts",
  "account list": "GET /v1/accounts",
  "account shared-emails": "GET /v1/shared-emails",
  "account show": "GET /v1/accounts/{account}",
  "account sub-accounts": "GET /v1/accounts/{account}/sub-accounts",
  "account change": "PATCH /v1/accounts/{account}",
  "account fee": "PUT /v1/accounts/{account}/fees/{symbol}",
  "account two-factor": "POST /v1/accounts/{account}/totp",
  "account addresses": "PUT /v1/accounts/{account}/addresses",
  "account add-address": "POST /v1/accounts/{account}/addresses",
  "account remove-address": "DELETE /v1/accounts/{account}/addresses",
  "account status": "PUT /v1/accounts/{account}/status",
  "account api-trading": "GET /v1/accounts/{account}/api-trading",
  "account note": "POST /v1/accounts/{account}/notes",
  "account notes": "GET /v1/accounts/{account}/notes",
  "account invite": "POST /v1/accounts/{account}/invitation",
  "account sessions": "GET /v1/accounts/{account}/sessions",
  "account lock": "POST /v1/accounts/{account}/lock",
  "account end-orders": "POST /v1/accounts/{account}/open-orders/end",
  "account end-order": "POST /v1/orders/{order}/end",
  "key create": "POST /v1/accounts/{account}/keys",
  "key list": "GET /v1/accounts/{account}/keys",
  "key delete": "DELETE /v1/keys/{apiKey}",
  "asset list": "GET /v1/assets",
  "asset add": "POST /v1/assets",
  "asset networks": "PUT /v1/assets/{asset}/networks",
  "symbol list": "GET /v1/symbols",
  "symbol add": "POST /v1/symbols",
  "symbol end-orders": "POST /v1/symbols/{symbol}/open-orders/end",
  "symbol delist": "PUT /v1/symbols/{symbol}/delisting",
  "symbol withdraw-delisting": "POST /v1/symbols/{symbol}/delisting/withdraw",
  "symbol status": "PUT /v1/symbols/{symbol}/status",
  "symbol self-trade-prevention": "PUT /v1/symbols/{symbol}/self-trade-prevention",
  "symbol price-range": "PUT /v1/symbols/{symbol}/price-range",
  "symbol fees": "GET /v1/symbols/{symbol}/fees",
  "symbol filters": "PUT /v1/symbols/{symbol}/filters",
  deposit: "POST /v1/deposits",
  debit: "POST /v1/debits",
  "house-accounts": "GET /v1/house-accounts",
  "network list": "GET /v1/networks",
  "network address": "POST /v1/accounts/{account}/deposit-addresses",
  "network deposits": "GET /v1/pending-deposits",
  "network rescan": "POST /v1/networks/{network}/rescan",
  "network report": "POST /v1/networks/{network}/deposits",
  "network drop": "POST /v1/networks/{network}/deposits/drop",
  "network sweep": "POST /v1/networks/{network}/sweep",
  "network top-up": "POST /v1/networks/{network}/top-up",
  "sandbox show": "GET /v1/networks/{network}/sandbox",
  "sandbox faucet": "POST /v1/networks/{network}/sandbox/faucet",
  "sandbox mine": "POST /v1/networks/{network}/sandbox/mine",
  "sandbox reorg": "POST /v1/networks/{network}/sandbox/reorg",
  "sandbox inject-fault": "POST /v1/networks/{network}/sandbox/fault",
  "withdrawal-limit list": "GET /v1/withdrawal-limits",
  "withdrawal-limit set": "PUT /v1/assets/{asset}/withdrawal-limits",
  "withdrawal-limit set-account": "PUT /v1/accounts/{account}/withdrawal-limits/{asset}",
  "withdrawal-limit reset-account": "DELETE /v1/accounts/{account}/withdrawal-limits/{asset}",
  "withdrawal list": "GET /v1/withdrawals",
  "withdrawal show": "GET /v1/withdrawals/{withdrawal}",
  "withdrawal approve": "POST /v1/withdrawals/{withdrawal}/approve",
  "withdrawal reject": "POST /v1/withdrawals/{withdrawal}/reject",
  "withdrawal cancel": "POST /v1/withdrawals/{withdrawal}/cancel",
  "withdrawal raise-fee": "POST /v1/withdrawals/{withdrawal}/raise-fee",
  "withdrawal fail": "POST /v1/withdrawals/{withdrawal}/fail",
  "withdrawal complete": "POST /v1/withdrawals/{withdrawal}/complete",
  "unattributed-deposit list": "GET /v1/unattributed-deposits",
  "unattributed-deposit record": "POST /v1/networks/{network}/unattributed-deposits",
  "unattributed-deposit resolve": "POST /v1/unattributed-deposits/resolve",
  "adjustment list": "GET /v1/adjustments",
  "adjustment request": "POST /v1/accounts/{account}/adjustments",
  "suspension list": "GET /v1/suspensions",
  "suspension set": "PUT /v1/suspensions/{scope}",
  "suspension lift": "DELETE /v1/suspensions/{scope}",
  maintenance: "PUT /v1/maintenance",
  dust: "PUT /v1/dust-rules",
  "commission-discount": "PUT /v1/commission-discount",
  dividend: "POST /v1/dividends",
  "email list": "GET /v1/emails",
  "email show": "GET /v1/emails/{email}",
  "email resend": "POST /v1/emails/{email}/resend",
  treasury: "GET /v1/treasury",
  "audit-log": "GET /v1/audit-log",
  overview: "GET /v1/overview",
  "report periods": "GET /v1/reports/periods",
  "report markets": "GET /v1/reports/markets",
  "report accounts": "GET /v1/reports/accounts",
  "report assets": "GET /v1/reports/assets",
  search: "GET /v1/search",
  "account timeline": "GET /v1/accounts/{account}/timeline",
  "withdrawal risks": "GET /v1/withdrawal-risks",
  "symbol preview-filters": "POST /v1/symbols/{symbol}/filters/preview",
  "sign-in": "POST /v1/sign-in",
  "sign-out": "POST /v1/sign-out",
  "accept-invitation": "POST /v1/accept-invitation",
  "me show": "GET /v1/me",
  "me password": "POST /v1/me/password",
  "me two-factor": "POST /v1/me/totp",
  "me confirm-two-factor": "POST /v1/me/totp/confirm",
  "operator list": "GET /v1/operators",
  "operator add": "POST /v1/operators",
  "operator change": "PATCH /v1/operators/{operator}",
  "operator invite": "POST /v1/operators/{operator}/invitation",
  "operator remove-two-factor": "DELETE /v1/operators/{operator}/totp",
  "invitation list": "GET /v1/invitations",
  "invitation create": "POST /v1/invitations",
  "invitation revoke": "DELETE /v1/invitations/{invitation}",
  "approval-rules": "PUT /v1/approval-rules",
  "approval-request list": "GET /v1/approval-requests",
  "approval-request show": "GET /v1/approval-requests/{request}",
  "approval-request create": "POST /v1/approval-requests",
  "approval-request change": "PUT /v1/approval-requests/{request}",
  "approval-request approve": "POST /v1/approval-requests/{request}/approve",
  "approval-request reject": "POST /v1/approval-requests/{request}/reject",
  "emergency-override": "POST /v1/emergency-override",
  "cluster status": "GET /v1/cluster",
  "journal info": "GET /v1/journal",
  "journal entries": "GET /v1/journal/entries",
  "proof make": "POST /v1/proofs",
  "proof list": "GET /v1/proofs",
  "proof export": "GET /v1/proofs/{seq}",
  "proof reserves": "POST /v1/proofs/{seq}/reserves",
  "proof publish": "POST /v1/proofs/{seq}/publish",
};

const commands = [...readFileSync(join(ROOT, "docs/operate/command-line.md"), "utf8").matchAll(/^### (.+)$/gm)].map(
  ([, name = ""]) => name,
);
const isExcepted = (command: string): boolean => command in EXCEPTIONS || (command.split(" ")[0] ?? "") in EXCEPTIONS;

test("every command of the command line is in the console, or an exception with a reason", () => {
  assert.ok(commands.length > 100, commands.join());
  assert.deepEqual(commands.filter((command) => !isExcepted(command)).toSorted(), Object.keys(ASKS).toSorted());
  assert.deepEqual(
    Object.values(ASKS).filter((key) => ROUTES[key] === undefined),
    [],
  );
  const used = new Set(commands.flatMap((command) => [command, command.split(" ")[0] ?? ""]));
  assert.deepEqual(
    Object.keys(EXCEPTIONS).filter((name) => !used.has(name)),
    [],
    "an exception of nothing",
  );
});

/** A path in quotes or in a template, also after a method. Inserted values may contain quotes themselves. */
const PATH = /["`](?:[A-Z]+ )?(\/v1\/(?:\$\{(?:[^{}]|\{[^}]*\})*\}|[^"`?$\s])*)/g;

/**
 * `/v1/keys/${escape(name)}`, `/v1/keys/:key`, `/v1/keys/{apiKey}` become `/v1/keys/*`. A value directly after a word
 * is a query.
 */
const shapeOf = (path: string): string =>
  path
    .replaceAll(/:[A-Za-z]+/g, "*")
    .replaceAll(/\$?\{(?:[^{}]|\{[^}]*\})*\}/g, "*")
    .replace(/(?<=[a-z])\*$/, "");

/** An inserted verb may be any of the verbs in its place: `…/${verb}`. */
function fits(asked: string, route: string): boolean {
  const [here, there] = [asked.split("/"), route.split("/")];
  return here.length === there.length && here.every((part, i) => part.includes("*") || part === there[i]);
}

test("every request in the command line's source has its place in the console", () => {
  const folder = join(ROOT, "packages/server/src/program/cli");
  const asked = globSync("**/*.ts", { cwd: folder })
    .flatMap((file) => [...readFileSync(join(folder, file), "utf8").matchAll(PATH)])
    .map(([, path = ""]) => shapeOf(path))
    .filter((path) => !path.startsWith("/v1/lab/"));
  assert.ok(new Set(asked).size > 60, asked.join());
  const routes = Object.keys(ROUTES).map((key) => shapeOf(key.split(" ")[1] ?? ""));
  assert.deepEqual(
    asked.filter((path) => !routes.some((route) => fits(path, route))),
    [],
  );
});
