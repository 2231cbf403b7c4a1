/** Parsers of texts that others have written, for fuzzers and for checks of documents. */
export { beginFrame, endFrame, readFrames, rowFrame, StreamBroken } from "../cluster/catch-up/frames.ts";
export { ConfigError } from "../config/config-error.ts";
export { loadConfig } from "../config/config.ts";
export { readControl } from "../streams/control.ts";
export { isAllMarkets, readStreamName } from "../streams/market/stream-name.ts";
export { readFrame } from "../api/ws/frame.ts";
export { loadSignerConfig } from "../wallet/evm/signer/signer-config.ts";
export {
  CheckpointFileUnreadable,
  readCheckpointFile,
  writeCheckpointFile,
} from "../lab/checkpoints/checkpoint-file.ts";
export { BadMarketFile } from "../market-files/bad-market-file.ts";
export { MarketRows } from "../market-files/market-rows.ts";
