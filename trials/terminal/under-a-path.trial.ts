/**
 * The terminal behind a proxy that serves the node under a path of a larger site: page, requests, streams and orders.
 */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import { background, freePort, lacks } from "../deploy/tools.ts";
import { type Rig, rigOf, skip as withoutBrowser } from "../pages/rig.ts";
import { fillIn, submitOf } from "./order-form.ts";
import { chooseMarket, openTerminal, rowsOf } from "./terminal.ts";
import { cancelEverything, openOrders, openVenue, type Venue } from "./venue.ts";

/** Long, because other tests use the machine at the same time. */
const SOON = { withinMs: 30_000, everyMs: 50 } as const;
const PATH = "/markets/exchange";

const skip = withoutBrowser === false ? lacks("nginx") : withoutBrowser;
const { venue: site, browser } = skip === false ? await rigOf(openSite) : ({} as Rig<Site>);

interface Site {
  readonly venue: Venue;
  /** The node's address for browsers. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Any other address belongs to the other site. */
async function openSite(): Promise<Site> {
  const [venue, port, folder] = [await openVenue(), await freePort(), temporaryFolder()];
  mkdirSync(join(folder, "temp"));
  const temps = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const config = `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
${process.getuid?.() === 0 ? "user root;" : ""}
events { worker_connections 1024; }
http {
  access_log off;
  ${temps.map((name) => `${name}_temp_path ${folder}/temp/${name};`).join(" ")}
  map $http_upgrade $connection_wanted { default upgrade; "" ""; }
  server {
    listen 127.0.0.1:${port};
    location / { return 404 "the site itself"; }
    location ${PATH}/ {
      proxy_pass ${venue.exchange.rest}/;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_wanted;
      proxy_buffering off;
    }
  }
}
`;
  writeFileSync(join(folder, "nginx.conf"), config);
  const nginx = background("nginx", ["-p", folder, "-e", join(folder, "error.log"), "-c", join(folder, "nginx.conf")]);
  const address = `http://127.0.0.1:${port}${PATH}`;
  await until("nginx serves", () =>
    fetch(`${address}/api/v3/ping`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    venue,
    address,
    stop: async () => {
      await nginx.stop();
      await venue.stop();
    },
  };
}

test("book, streams and signed orders are the node's, and the page requests nothing from the site around it", {
  skip,
}, async () => {
  const { venue, address } = site;
  const { alice, exchange } = venue;
  const terminal = await openTerminal(browser, address, { path: "/trade/BTCUSDT" });
  const { page, book, chart, complaints, outside, seen, close } = terminal;
  await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
  await chart.getByText("Loading candles").waitFor({ state: "hidden" });

  const { apiKey = "?", secretKey = "?" } = exchange.accounts.find(({ name }) => name === "alice") ?? {};
  await page.getByRole("banner").getByRole("button", { name: "Sign in" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByText("Use an API key instead").click();
  await dialog.getByRole("textbox", { name: "API key" }).fill(apiKey);
  await dialog.getByLabel("Secret key").fill(secretKey);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: /^Signed in as / }).waitFor();

  await fillIn(terminal, { side: "Buy", kind: "Limit", fields: { Price: "19985.00", Quantity: "0.0123" } });
  await submitOf(terminal).click();
  await until("it is open", async () => (await openOrders(alice)).length === 1, SOON);
  await until("its row", async () => (await rowsOf(terminal)).length === 1, SOON);
  // Reported by both streams: a new level, and the end of the row.
  await book.getByText("19,985.00").first().waitFor();
  await cancelEverything(alice);
  await until("the row is gone", async () => (await rowsOf(terminal)).length === 0, SOON);
  await chooseMarket(terminal, "ETHUSDT");
  await page.waitForURL(`${address}/trade/ETHUSDT`);
  await page.reload();
  await page.getByRole("banner").getByRole("button", { name: "ETH/USDT" }).waitFor();
  assert.deepEqual([complaints, outside, (await seen()).violations], [[], [], []]);
  await close();
});
