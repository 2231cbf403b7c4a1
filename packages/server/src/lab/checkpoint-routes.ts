/** The admin API's routes for checkpoints, including their export to files and import from files. */
import { type Batch, JournalDamaged } from "../journal/port.ts";
import type { StorageImage } from "./storage/images.ts";
import { LeftWaysFull } from "./storage/lab-journal.ts";
import {
  CHECKPOINT_LIMITS,
  CheckpointFileUnreadable,
  madeByAnother,
  readCheckpointFile,
  versionIn,
  writeCheckpointFile,
} from "./checkpoint-file.ts";
import { type Checkpoint, CheckpointRefused, type Checkpoints, type Held } from "./checkpoints.ts";
import type { HeldLab } from "./port.ts";
import { z } from "zod";
import { BYTES_TYPE, created, ok, Rejection, streamed } from "../people/http/answer.ts";
import { type AdminRoute, labRoute } from "../people/admin/router.ts";

/** Yields the contents of the checkpoint's file. */
function exportCheckpoint({ shown, image, states }: Held, lab: HeldLab): AsyncIterable<Uint8Array> {
  const { version, seq, hash } = shown;
  const { chainHash } = image.head;
  return writeCheckpointFile({ version, seq, chainHash, hash }, states, lab.storage.rowsTo(image));
}

/**
 * Imports a checkpoint file. Rejects with `CheckpointFileUnreadable` or `CheckpointRefused`; the lab is unchanged then.
 */
async function importCheckpoint(
  name: string,
  file: Buffer,
  checkpoints: Checkpoints,
  lab: HeldLab,
): Promise<Checkpoint> {
  checkpoints.checkName(name);
  try {
    return await takenIn(name, file, checkpoints, lab);
  } catch (error) {
    throw withVersion(error, madeByAnother(versionIn(file), lab.version));
  }
}

/** Adds the version that created the file to the error, because this version may be able to read the file. */
function withVersion(error: unknown, madeBy: string): unknown {
  if (madeBy === "") return error;
  if (error instanceof CheckpointFileUnreadable) return new CheckpointFileUnreadable(`${error.message}${madeBy}`);
  if (!(error instanceof CheckpointRefused) || error.code !== "CHECKPOINT_UNFIT") return error;
  return new CheckpointRefused("CHECKPOINT_UNFIT", `${error.message}${madeBy}`);
}

async function takenIn(name: string, file: Buffer, checkpoints: Checkpoints, lab: HeldLab): Promise<Checkpoint> {
  const { header, states, rows } = readCheckpointFile(file);
  const image = await takeIn(rows, lab);
  try {
    const held = checkpoints.foreign(name, image, states, header.version);
    if (held.shown.hash !== header.hash) throw new CheckpointFileUnreadable("Its journal leads to another state.");
    checkMasterKey(image, lab);
    checkInterface(image, lab);
    checkpoints.checkName(name);
    return checkpoints.add(held);
  } catch (error) {
    lab.storage.drop(image);
    throw error;
  }
}

async function takeIn(rows: readonly Batch[], lab: HeldLab): Promise<StorageImage> {
  try {
    return await lab.storage.takeIn(rows, () => lab.rest());
  } catch (error) {
    if (error instanceof JournalDamaged) throw new CheckpointFileUnreadable(`In it, ${error.message}.`);
    if (!(error instanceof LeftWaysFull)) throw error;
    throw new CheckpointRefused("CHECKPOINTS_FULL", `${error.message}: delete one that you do not need.`);
  }
}

/** Rejects an image of the other interface or count of orders: a checkpoint does not change how this lab answers. */
function checkInterface({ facts }: StorageImage, lab: HeldLab): void {
  const own = lab.view();
  const unfit = (text: string): CheckpointRefused => new CheckpointRefused("CHECKPOINT_UNFIT", text);
  if (facts.interface !== own.interface) {
    const { interface: name } = facts;
    throw unfit(
      `It has the interface ${name}, and this lab ${own.interface}: start this lab with --interface ${name}.`,
    );
  }
  if (facts.orderIds !== own.orderIds) {
    const { orderIds } = facts;
    throw unfit(
      `It has order IDs by ${orderIds}, and this lab by ${own.orderIds}: start this lab with --order-ids ${orderIds}.`,
    );
  }
}

/** Rejects an image with another master key, because its encrypted API secrets could not be used. */
function checkMasterKey({ facts }: StorageImage, lab: HeldLab): void {
  if (facts.masterKeyCheck === lab.storage.recovery.engine.masterKeyCheck) return;
  throw new CheckpointRefused(
    "CHECKPOINT_UNFIT",
    "It was created with another master key: start this lab with the seed, or the key, of the lab that created it.",
  );
}

const checkpointName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:~-]{0,99}$/,
    "1 to 100 letters, digits, ., _, :, ~ and -; starting with a letter or digit",
  );

const takeSchema = z.strictObject({ name: checkpointName, replace: z.boolean().exactOptional() });
const restoreSchema = z
  .strictObject({ keepKeys: z.boolean().exactOptional(), keepConnections: z.boolean().exactOptional() })
  .optional();

export interface CheckpointParts {
  readonly checkpoints: Checkpoints;
  readonly lab: HeldLab;
}

export function checkpointRoutes({ checkpoints, lab }: CheckpointParts): AdminRoute[] {
  return [
    labRoute({
      endpoint: "GET /v1/lab/checkpoints",
      summary: "Lists the lab's checkpoints, oldest first.",
      answers: "For each: `name`, `seq`, `nowMs`, `hash` and `bytes`.",
      handle: () => ok(checkpoints.list()),
    }),
    labRoute({
      endpoint: "POST /v1/lab/checkpoints",
      summary: "Takes a checkpoint of the complete lab under the given name.",
      answers: "`name`, `seq`, `nowMs`, `hash` (of its contents) and `bytes`. 409: ALREADY_EXISTS, TOO_MANY.",
      status: 201,
      body: takeSchema,
      handle: async ({ body: { name, replace } }) => created(await checkpoints.take(name, { replace })),
    }),
    labRoute({
      endpoint: "GET /v1/lab/checkpoints/:name",
      summary: "Shows the contents of a checkpoint.",
      handle: ({ path: { name } }) => ok(checkpoints.show(name)),
    }),
    labRoute({
      endpoint: "POST /v1/lab/checkpoints/:name/restore",
      summary:
        "Restores a checkpoint, which is kept. Streams are closed as at a restart; with `keepConnections` they stay open.",
      answers:
        "The checkpoint, when it is restored. With `keepKeys`, keys created since then stay valid. 409 (CHECKPOINT_UNFIT) if an imported checkpoint does not fit this lab, which is then unchanged.",
      body: restoreSchema,
      handle: async ({ path: { name }, body }) => ok(await checkpoints.restore(name, body)),
    }),
    labRoute({
      endpoint: "DELETE /v1/lab/checkpoints/:name",
      summary: "Deletes a checkpoint.",
      handle: ({ path: { name } }) => {
        checkpoints.delete(name);
        return ok({ name });
      },
    }),
    labRoute({
      endpoint: "GET /v1/lab/checkpoints/:name/file",
      summary: "Exports a checkpoint as a file, for another lab with the same master key (the same seed).",
      types: [BYTES_TYPE],
      handle: ({ path: { name } }) => streamed(exportCheckpoint(checkpoints.find(name), lab)),
    }),
    labRoute({
      endpoint: "POST /v1/lab/checkpoints/:name/file",
      summary: "Imports a checkpoint from a file under the given name. Its journal is replayed and compared.",
      answers: "The checkpoint. 400 (CHECKPOINT_UNREADABLE) if the file is truncated, altered or of another format.",
      status: 201,
      maxBytes: CHECKPOINT_LIMITS.fileBytes,
      handle: async ({ path: { name }, body }) =>
        created(await importCheckpoint(nameOf(name), body as Buffer, checkpoints, lab)),
    }),
    labRoute({
      endpoint: "POST /v1/lab/reset",
      summary: "Restores the start of the lab.",
      answers: "The same as for a restore.",
      body: restoreSchema,
      handle: async ({ body }) => ok(nameless(await checkpoints.reset(body))),
    }),
    labRoute({
      endpoint: "PUT /v1/lab/reset",
      summary: "Makes the current state the start to which a reset returns. Use it after setting up a lab for others.",
      answers: "The same as for a new checkpoint.",
      handle: async () => ok(nameless(await checkpoints.takeStart())),
    }),
  ];
}

function nameless({ name: _name, ...start }: Checkpoint): Omit<Checkpoint, "name"> {
  return start;
}

function nameOf(name: string): string {
  const parsed = checkpointName.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new Rejection(400, "BAD_REQUEST", `name: ${parsed.error.issues[0]?.message ?? "not a name"}`);
}
