/** Every route of the admin API but a lab's. */
import { accountRoutes } from "../account-routes.ts";
import { sharedEmailRoutes } from "../shared-email-routes.ts";
import { accountWalletRoutes } from "../account-wallet-routes.ts";
import { actRoutes } from "../act-routes.ts";
import { clusterRoutes } from "../cluster-routes.ts";
import { depositRoutes } from "../deposit-routes.ts";
import { fundsRoutes } from "../funds-routes.ts";
import { journalRoutes } from "../journal-routes.ts";
import { keyRoutes } from "../key-routes.ts";
import { listingRoutes } from "../listing-routes.ts";
import { mailRoutes } from "../mail-routes.ts";
import { noteRoutes } from "../note-routes.ts";
import { orderEndRoutes } from "../order-end-routes.ts";
import { stopRoutes } from "../stop-routes.ts";
import { networkRoutes } from "../network-routes.ts";
import { overviewRoutes } from "../overview-routes.ts";
import { pastRoutes } from "../past-routes.ts";
import { proofRoutes } from "../proof-routes.ts";
import { reserveRoutes } from "../reserve-routes.ts";
import { riskRoutes } from "../risk-routes.ts";
import { searchRoutes } from "../search-routes.ts";
import { timeLineRoutes } from "../time-line-routes.ts";
import { venueRoutes } from "../venue-routes.ts";
import { withdrawalLimitRoutes } from "../withdrawal-limit-routes.ts";
import { withdrawalRoutes } from "../withdrawal-routes.ts";
import { customerAccessRoutes } from "../access/customer-routes.ts";
import { meRoutes } from "../access/me-routes.ts";
import { operatorRoutes } from "../access/operator-routes.ts";
import { signInRoutes } from "../access/sign-in-routes.ts";
import { adjustmentRoutes } from "../approval/adjustment-routes.ts";
import { unknownDepositRoutes } from "../approval/unknown-deposit-routes.ts";
import { breakGlassRoutes } from "../approval/break-glass-routes.ts";
import { approvalRuleRoutes } from "../approval/rule-routes.ts";
import { proposalRoutes } from "../approval/proposal-routes.ts";
import type { AdminNode } from "../node.ts";
import type { Route } from "../router.ts";

/** The makers of all routes, by subject. */
const ROUTES: readonly ((node: AdminNode) => Route[])[] = [
  overviewRoutes,
  searchRoutes,
  listingRoutes,
  pastRoutes,
  accountRoutes,
  sharedEmailRoutes,
  timeLineRoutes,
  orderEndRoutes,
  noteRoutes,
  accountWalletRoutes,
  keyRoutes,
  fundsRoutes,
  adjustmentRoutes,
  depositRoutes,
  unknownDepositRoutes,
  withdrawalRoutes,
  withdrawalLimitRoutes,
  riskRoutes,
  networkRoutes,
  stopRoutes,
  venueRoutes,
  mailRoutes,
  journalRoutes,
  clusterRoutes,
  actRoutes,
  proofRoutes,
  reserveRoutes,
  signInRoutes,
  meRoutes,
  operatorRoutes,
  customerAccessRoutes,
  approvalRuleRoutes,
  breakGlassRoutes,
  proposalRoutes,
];

/** Returns every route of a node. */
export function adminRoutes(node: AdminNode): readonly Route[] {
  return ROUTES.flatMap((make) => make(node));
}
