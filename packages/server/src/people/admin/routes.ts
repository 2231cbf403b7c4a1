/** All routes of the admin API, except the lab routes. */
import { accountRoutes, noteRoutes, sharedEmailRoutes } from "./account-routes.ts";
import { accountWalletRoutes, keyRoutes } from "./account-settings-routes.ts";
import { actRoutes, timeLineRoutes } from "./history-routes.ts";
import { clusterRoutes, overviewRoutes } from "./overview-routes.ts";
import { depositRoutes, unknownDepositRoutes } from "./deposit-routes.ts";
import { adjustmentRoutes, fundsRoutes } from "./funds-routes.ts";
import { journalRoutes } from "./journal-routes.ts";
import { listingRoutes } from "./listing-routes.ts";
import { mailRoutes } from "./mail-routes.ts";
import { orderEndRoutes } from "./order-end-routes.ts";
import { stopRoutes, venueRoutes } from "./venue-routes.ts";
import { networkRoutes } from "./network-routes.ts";
import { pastRoutes } from "./candle-routes.ts";
import { proofRoutes, reserveRoutes } from "./proof-routes.ts";
import { reportRoutes } from "./report-routes.ts";
import { riskRoutes, withdrawalLimitRoutes } from "./withdrawal-risk-routes.ts";
import { searchRoutes } from "./search-routes.ts";
import { withdrawalRoutes } from "./withdrawal-routes.ts";
import { customerAccessRoutes } from "./customer-routes.ts";
import { meRoutes, signInRoutes } from "./sign-in-routes.ts";
import { operatorRoutes } from "./operator-routes.ts";
import { approvalRuleRoutes, breakGlassRoutes, proposalRoutes } from "./approval-routes.ts";
import type { AdminNode } from "./node.ts";
import type { AdminRoute } from "./router.ts";

const ROUTES: readonly ((node: AdminNode) => AdminRoute[])[] = [
  overviewRoutes,
  reportRoutes,
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

export function adminRoutes(node: AdminNode): readonly AdminRoute[] {
  return ROUTES.flatMap((make) => make(node));
}
