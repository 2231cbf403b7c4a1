/** The parts of a node, for simulators, benchmarks and tests that assemble them differently. */
export { applyListing } from "../../people/admin/listing.ts";
export { type LongText, textOf } from "../../api/answers/long-text.ts";
export { Turns } from "../../api/answers/long-list.ts";
export { createGateway, type Gateway } from "../../api/gateway.ts";
export { orderLimitsOf } from "../start/prepare-journal.ts";
export type { Ids } from "../../api/ids.ts";
export type { GatewayOptions, WalletPorts } from "../../api/options.ts";
export { standingOf } from "../../cluster/catch-up/catch-up.ts";
export { ClusterNode } from "../../cluster/cluster-node.ts";
export { ACCOUNT_ROUTES } from "../../people/customer/account-api.ts";
export { CLUSTER_LIMITS } from "../../cluster/peers.ts";
export { type ClusterStore, type Epoch, type Lease, type NodePosition, StoreUnfit } from "../../cluster/port.ts";
export type { TaskPart, TaskGrant } from "../../cluster/tasks.ts";
export { trimBound } from "../../cluster/etcd/tail.ts";
export {
  type Confirmations,
  createConfirmations,
  createLinkSecrets,
  type LinkSecrets,
} from "../../platform/secrets/link-secrets.ts";
export { fileSchema } from "../../platform/config/schema.ts";
export { createSealer } from "../../platform/secrets/seal.ts";
export { totpCheck } from "../../platform/secrets/totp.ts";
export { TrustedProxies } from "../../api/edge/client-address.ts";
export { HttpEdge, type HttpEdgeOptions } from "../../api/edge/http/edge.ts";
export { DEFAULT_HTTP_LIMITS, type HttpLimits, STREAM_LIMITS } from "../../api/edge/limits.ts";
export { DEFAULT_LIMITS } from "../../api/edge/rate-limit-rules.ts";
export type {
  GatewayRequest,
  GatewayResponse,
  MethodRequest,
  Replier,
  RequestSink,
  TextResponse,
} from "../../api/edge/request.ts";
export { Session } from "../../api/edge/session.ts";
export { SendQueue } from "../../api/edge/send-queue.ts";
export { Sockets } from "../../api/edge/sockets/sockets.ts";
export type { Mail, WithdrawalToConfirm } from "../../people/mail/port.ts";
export { NoticeEmails, WithdrawalEmails } from "../../people/mail/node-mails.ts";
export { GroupCommitSequencer } from "../../journal/sequencer/group-commit.ts";
export {
  NotAccepted,
  type Outcome,
  OutcomeUnknown,
  type PromptSequencer,
  type Sequencer,
} from "../../journal/sequencer/port.ts";
export { SessionStore } from "../../people/sign-in/sessions.ts";
export { hashOfSecret } from "../../people/sign-in/tokens.ts";
export { VERSION } from "../start/version.ts";
export { streamEndpoint } from "../../api/streams/connection.ts";
export { Hub } from "../../api/streams/hub.ts";
export type { MarketContext } from "../../api/streams/market/market-stream.ts";
export { AllTickersStream } from "../../api/streams/market/tickers.ts";
export type { Publisher } from "../../api/streams/port.ts";
export { Streams } from "../../api/streams/streams.ts";
export { UserStreams } from "../../api/streams/user/user-streams.ts";
export { TradingRules, type TradingRulesSettings } from "../../funds/trading-rules.ts";
export { DepositKey } from "../../funds/wallet/evm/deposit-key.ts";
export {
  ChainUnreachable,
  ControlRefused,
  type Fate,
  type NetworkStatus,
  NoSuchNetwork,
  type SandboxControl,
  type SandboxFault,
  type Wallet,
} from "../../funds/wallet/port.ts";
export { checkNotBehind, CLOCK_LIMITS, ClockBehind, GuardedClock } from "../../platform/world/clock.ts";
export { MACHINE } from "../../platform/world/machine.ts";
export type { Cancel, MachineClocks, Timers, World } from "../../platform/world/port.ts";
export type { FrameSink, StreamPeer } from "../../api/edge/sockets/socket.ts";
export { type MailFiles, MailFolder } from "../../people/mail/mail-folder.ts";
export { LabClock } from "../../lab/clock/lab-clock.ts";
export { SeededRandom } from "../../lab/seeded-random.ts";
export { type PartStates, SavedParts } from "../../platform/world/saved-state.ts";
export { FileOutbox } from "../../people/mail/mail-room.ts";
export type { Sending } from "../../people/mail/smtp.ts";
export { ChainNetwork } from "../../funds/wallet/network.ts";
export type { Chain } from "../../funds/wallet/chain.ts";
export { SANDBOX_POLL_MS } from "../../funds/wallet/follower-parts.ts";
export { openSandbox } from "../../funds/wallet/sandbox/sandbox.ts";
export { WorldFile } from "../../funds/wallet/sandbox/world-file.ts";
