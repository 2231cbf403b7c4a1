/** Networks as the node sees them, and the world of a sandbox, which its operator plays. */
import { z } from "zod";
import { assetName, decimal } from "../config/listing-schema.ts";
import type { SandboxControl, SweepControl } from "../wallet/control.ts";
import { created, ok } from "./answer.ts";
import { paymentSchema, receiverOf } from "./deposit-routes.ts";
import { asAsset, unknownName, withAssets } from "./known-names.ts";
import type { AdminNode } from "./node.ts";
import { accountName, findHolder, parseWith } from "./parse.ts";
import type { AdminRequest, Route } from "./router.ts";

const count = z.int().min(1).max(1_000_000);
const rescanSchema = z.strictObject({ fromHeight: z.int().min(0) });
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

export function networkRoutes(node: AdminNode): Route[] {
  return [
    { method: "GET", pattern: "/v1/networks", handle: () => ok(node.wallet.networks()) },
    {
      method: "POST",
      pattern: "/v1/networks/:network/rescan",
      handle: async ({ path, body, by }) => {
        const { fromHeight } = parseWith(rescanSchema, body);
        await node.controls.rescan(path["network"] ?? "", fromHeight, by);
        return ok({ network: path["network"], fromHeight });
      },
    },
    ...sweepRoutes(node),
    ...sandboxRoutes(node),
  ];
}

/** Where the coins of a chain lie. Nothing of it is in the journal. */
function sweepRoutes(node: AdminNode): Route[] {
  const { view, wallet } = node;
  const control = ({ path }: AdminRequest): SweepControl => {
    const name = path["network"] ?? "";
    const found = node.controls.sweeps(name);
    if (found !== undefined) return found;
    const swept = wallet.networks().filter(({ kind }) => kind === "evm");
    const known = swept.map(({ network }) => withAssets(view, network));
    throw unknownName("UNKNOWN_NETWORK", "network that is swept", name, known, asAsset(view, name));
  };
  return [
    {
      method: "POST",
      pattern: "/v1/networks/:network/sweep",
      handle: async (request) => {
        const { account, asset } = parseWith(sweepSchema, request.body);
        return ok(await control(request).sweep(findHolder(view, account), asset));
      },
    },
    {
      method: "POST",
      pattern: "/v1/networks/:network/top-up",
      handle: async (request) => {
        const { account, amount } = parseWith(topUpSchema, request.body);
        return ok(await control(request).topUp(findHolder(view, account), amount));
      },
    },
  ];
}

function sandboxRoutes(node: AdminNode): Route[] {
  const at = "/v1/networks/:network/sandbox";
  const act = (name: string, handle: (sandbox: SandboxControl, request: AdminRequest) => object): Route => ({
    method: "POST",
    pattern: `${at}/${name}`,
    handle: (request) => ok(handle(sandboxOf(node, request), request)),
  });
  return [
    { method: "GET", pattern: at, handle: (request) => ok(sandboxOf(node, request).status()) },
    act("mine", (sandbox, { body }) => sandbox.mine(parseWith(mineSchema, body).blocks)),
    act("reorg", (sandbox, { body }) => {
      const { depth, fate } = parseWith(reorgSchema, body);
      return sandbox.reorg(depth, fate);
    }),
    act("fault", (sandbox, { body }) => {
      const fault = parseWith(faultSchema, body);
      sandbox.fail(fault);
      return fault;
    }),
    {
      method: "POST",
      pattern: `${at}/faucet`,
      handle: async (request) => {
        const sandbox = sandboxOf(node, request);
        const payment = await receiverOf(node, request.path["network"] ?? "", parseWith(paymentSchema, request.body));
        return created({ txId: sandbox.faucet(payment), ...payment });
      },
    },
  ];
}

function sandboxOf({ controls, wallet, view }: AdminNode, { path }: AdminRequest): SandboxControl {
  const name = path["network"] ?? "";
  const sandbox = controls.sandbox(name);
  if (sandbox !== undefined) return sandbox;
  const sandboxes = wallet.networks().filter(({ kind }) => kind === "sandbox");
  const known = sandboxes.map(({ network }) => withAssets(view, network));
  throw unknownName("UNKNOWN_NETWORK", "sandbox network", name, known, asAsset(view, name));
}
