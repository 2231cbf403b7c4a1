/** Routes of networks: their status, rescans, sweeps, and the control of sandboxes. */
import { z } from "zod";
import { assetName, decimal } from "../../platform/config/listing-schema.ts";
import type { NetworkStatus, SandboxControl, SweepControl } from "../../funds/wallet/port.ts";
import { created, ok } from "../http/answer.ts";
import { paymentSchema, receiverOf } from "./deposit-routes.ts";
import { accountName, asAsset, findHolder, unknownName, withAssets } from "./parse.ts";
import { withOldNames } from "./deprecated-names.ts";
import { listRoute } from "./list-route.ts";
import type { AdminNode } from "./node.ts";
import { type AdminRoute, route } from "./router.ts";
import { networkRow } from "./answers.ts";

const count = z.int().min(1).max(1_000_000);
const rescanSchema = z.strictObject({ fromHeight: z.int().min(0), toHeight: z.int().min(0).exactOptional() });
const sweepSchema = z.strictObject({ account: accountName, asset: assetName });
const topUpSchema = z.strictObject({ account: accountName, amount: decimal });
const mineSchema = z.strictObject({ blocks: count.default(1) });
const reorgSchema = z.strictObject({ depth: count, fate: z.enum(["lost", "waiting", "mined"]).default("lost") });
const faultSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("revert"), payments: count.default(1) }),
  z.strictObject({ kind: z.literal("loseBroadcast"), payments: count.default(1) }),
  z.strictObject({ kind: z.literal("takeNonce") }),
  z.strictObject({ kind: z.literal("unreachable"), durationMs: z.int().min(0).max(86_400_000) }),
]);

export function networkRoutes(node: AdminNode): AdminRoute[] {
  return [
    listRoute({
      pattern: "/v1/networks",
      summary: "Lists the networks with their status on this node.",
      row: networkRow,
      page: () => ({ rows: node.wallet.networks().map(networkBody) }),
    }),
    route({
      endpoint: "POST /v1/networks/:network/rescan",
      needs: "money",
      summary: "Scans the blocks of a network again, from `fromHeight` to `toHeight`, or to the newest block.",
      answers:
        "`found`: the number of missed deposits that were found, unattributed ones included. Without `toHeight` the scan runs " +
        "in the background, and `found` is null.",
      body: rescanSchema,
      handle: async ({ path, body: { fromHeight, toHeight }, by }) => {
        const { network } = path;
        const found = await node.controls.rescan(network, fromHeight, by, toHeight);
        return ok({ network, fromHeight, ...(toHeight !== undefined && { toHeight }), found });
      },
    }),
    ...sweepRoutes(node),
    ...sandboxRoutes(node),
  ];
}

/** The network as sent in answers, with its field names of release 0.2.0. */
function networkBody({ trouble, holder, ...network }: NetworkStatus): object {
  return withOldNames({ ...network, error: trouble, ...(holder !== undefined && { owner: holder }) }, "error");
}

interface OnNetwork {
  readonly path: { readonly network: string };
}

/** Routes that move assets between the venue's own addresses. The journal does not record these transactions. */
function sweepRoutes(node: AdminNode): AdminRoute[] {
  const { view, wallet } = node;
  const control = ({ path: { network: name } }: OnNetwork): SweepControl => {
    const found = node.controls.sweeps(name);
    if (found !== undefined) return found;
    const swept = wallet.networks().filter(({ kind }) => kind === "evm");
    const known = swept.map(({ network }) => withAssets(view, network));
    throw unknownName("UNKNOWN_NETWORK", "EVM network", name, known, asAsset(view, name));
  };
  return [
    route({
      endpoint: "POST /v1/networks/:network/sweep",
      needs: "money",
      summary: "Sweeps the deposit address of an account to the hot wallet.",
      body: sweepSchema,
      handle: async ({ body: { account, asset }, ...request }) =>
        ok(await control(request).sweep(findHolder(view, account), asset)),
    }),
    route({
      endpoint: "POST /v1/networks/:network/top-up",
      needs: "money",
      summary: "Sends native coins to a deposit address, for the gas of sweeping its tokens.",
      body: topUpSchema,
      handle: async ({ body: { account, amount }, ...request }) =>
        ok(await control(request).topUp(findHolder(view, account), amount)),
    }),
  ];
}

function sandboxRoutes(node: AdminNode): AdminRoute[] {
  const at = "/v1/networks/:network/sandbox";
  const act = <Body extends z.ZodType>(
    name: string,
    summary: string,
    body: Body,
    act: (sandbox: SandboxControl, body: z.output<Body>) => object,
  ): AdminRoute =>
    route({
      endpoint: `POST ${at}/${name}`,
      needs: "money",
      summary,
      body,
      handle: (request) => ok(act(sandboxOf(node, request), request.body)),
    });
  return [
    route({
      endpoint: `GET ${at}`,
      needs: "view",
      summary: "Returns the status of a sandbox: its height and its unmined transactions.",
      handle: (request) => ok(sandboxOf(node, request).status()),
    }),
    act("mine", "Mines blocks on a sandbox.", mineSchema, (sandbox, { blocks }) => sandbox.mine(blocks)),
    act(
      "reorg",
      "Simulates a reorg on a sandbox. `fate` sets what happens to the transactions of the removed blocks.",
      reorgSchema,
      reorg,
    ),
    act("fault", "Injects a fault into a sandbox.", faultSchema, (sandbox, fault) => {
      sandbox.fail(fault);
      return fault;
    }),
    route({
      endpoint: `POST ${at}/faucet`,
      needs: "money",
      summary: "Pays test funds to an account or an address.",
      status: 201,
      body: paymentSchema,
      handle: async (request) => {
        const sandbox = sandboxOf(node, request);
        const payment = await receiverOf(node, request.path.network, request.body);
        return created({ txId: sandbox.faucet(payment), ...payment });
      },
    }),
  ];
}

const reorg = (sandbox: SandboxControl, { depth, fate }: z.output<typeof reorgSchema>): object =>
  sandbox.reorg(depth, fate);

function sandboxOf({ controls, wallet, view }: AdminNode, { path: { network: name } }: OnNetwork): SandboxControl {
  const sandbox = controls.sandbox(name);
  if (sandbox !== undefined) return sandbox;
  const sandboxes = wallet.networks().filter(({ kind }) => kind === "sandbox");
  const known = sandboxes.map(({ network }) => withAssets(view, network));
  throw unknownName("UNKNOWN_NETWORK", "sandbox network", name, known, asAsset(view, name));
}
