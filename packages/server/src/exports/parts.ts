/** The parts of a node, for those who assemble one differently: simulators, benchmarks, venues of tests. */
export { applyListing } from "../admin/listing.ts";
export { textOf } from "../answers/long-text.ts";
export { Turns } from "../answers/turns.ts";
export { createGateway, type Gateway } from "../api/gateway.ts";
export { orderLimitsOf } from "../start/journal-order-limits.ts";
export type { Ids } from "../api/ids.ts";
export type { GatewayOptions } from "../api/options.ts";
export type { WalletPorts } from "../api/wallet-ports.ts";
export { standingOf } from "../cluster/catch-up/standing.ts";
export { ClusterNode } from "../cluster/cluster-node.ts";
export { ACCOUNT_ROUTES } from "../customer/routes.ts";
export { CLUSTER_LIMITS } from "../cluster/limits.ts";
export { type ClusterStore, type Epoch, type Lease, type NodePosition, StoreUnfit } from "../cluster/port.ts";
export type { RolePart, Tenure } from "../cluster/roles/port.ts";
export { trimBound } from "../etcd/trim-bound.ts";
export { type Confirmations, createConfirmations } from "../config/confirmations.ts";
export { createLinkSecrets, type LinkSecrets } from "../config/link-secrets.ts";
export { fileSchema } from "../config/schema.ts";
export { createSealer } from "../config/seal.ts";
export { totpCheck } from "../config/totp.ts";
export { TrustedProxies } from "../edge/http/client-address.ts";
export { HttpEdge, type HttpEdgeOptions } from "../edge/http/edge.ts";
export { DEFAULT_HTTP_LIMITS, type HttpLimits } from "../edge/http/limits.ts";
export { DEFAULT_LIMITS } from "../edge/limits/rule.ts";
export type {
  GatewayRequest,
  GatewayResponse,
  MethodRequest,
  Replier,
  RequestSink,
  TextResponse,
} from "../edge/request.ts";
export { Session } from "../edge/session.ts";
export { STREAM_LIMITS } from "../edge/sockets/limits.ts";
export { TellingOrder } from "../edge/telling-order.ts";
export { Sockets } from "../edge/sockets/sockets.ts";
export type { WithdrawalToConfirm } from "../mail/port.ts";
export { WithdrawalLetters } from "../mail/withdrawal-letters.ts";
export { GroupCommitSequencer } from "../sequencer/group-commit.ts";
export { NotAccepted, type Outcome, OutcomeUnknown, type PromptSequencer, type Sequencer } from "../sequencer/port.ts";
export { SessionDoor } from "../sign-in/session-door.ts";
export { hashOfSecret } from "../sign-in/tokens.ts";
export { VERSION } from "../start/version.ts";
export { streamDoor } from "../streams/connection.ts";
export { Hub } from "../streams/hub.ts";
export type { MarketContext } from "../streams/market/market-stream.ts";
export { AllTickersStream } from "../streams/market/tickers.ts";
export type { Publisher } from "../streams/port.ts";
export { Streams } from "../streams/streams.ts";
export { UserStreams } from "../streams/user/user-streams.ts";
export { TradingRules } from "../trading-rules/trading-rules.ts";
export { DepositKey } from "../wallet/evm/deposit-key.ts";
export { ChainUnreachable, type NetworkStatus, NoSuchNetwork, type Wallet } from "../wallet/port.ts";
export { checkNotBehind, ClockBehind } from "../world/clock-behind.ts";
export { GuardedClock } from "../world/guarded-clock.ts";
export { CLOCK_LIMITS } from "../world/limits.ts";
export { MACHINE } from "../world/machine.ts";
export type { Cancel, MachineClocks, Timers, World } from "../world/port.ts";
export type { LongText } from "../answers/long-text.ts";
export type { FrameSink, StreamPeer } from "../edge/sockets/peer.ts";
export type { MailFiles } from "../mail/mail-files.ts";
export { LabClock } from "../lab/clock/lab-clock.ts";
export { SeededDice } from "../lab/dice.ts";
export { MailFolder } from "../mail/mail-folder.ts";
export { MailRoom } from "../mail/mail-room.ts";
export { NoticeLetters } from "../mail/notice-letters.ts";
export type { Mail } from "../mail/port.ts";
export type { Sending } from "../mail/smtp.ts";
export type { TradingRulesSettings } from "../trading-rules/trading-rules.ts";
export { ChainNetwork } from "../wallet/chain-network.ts";
export type { Chain } from "../wallet/chain.ts";
export type { Fate, SandboxControl, SandboxFault } from "../wallet/control.ts";
export { SANDBOX_POLL_MS } from "../wallet/limits.ts";
export { ControlRefused } from "../wallet/port.ts";
export { openSandbox } from "../wallet/sandbox/open.ts";
export { WorldFile } from "../wallet/sandbox/world-file.ts";
