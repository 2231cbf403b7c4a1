/** Sealed hashes of passwords, by holder, and until when a customer may not withdraw because the password is new. */
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { Holder } from "../../entry/access-record.ts";

interface Password {
  readonly sealedPassword: string;
  /** 0: nothing is held. */
  readonly heldUntilMs: number;
}

export class Passwords {
  private readonly byHolder = new Map<Holder, Password>();

  get size(): number {
    return this.byHolder.size;
  }
  get(holder: Holder): string | undefined {
    return this.byHolder.get(holder)?.sealedPassword;
  }
  /** Until when a recovered account may not withdraw; 0: it may. */
  heldUntilMs(holder: Holder): number {
    return this.byHolder.get(holder)?.heldUntilMs ?? 0;
  }
  set(holder: Holder, sealedPassword: string, heldUntilMs = this.heldUntilMs(holder)): void {
    this.byHolder.set(holder, { sealedPassword, heldUntilMs });
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byHolder]));
  }
  load(reader: ByteReader): void {
    for (const [holder, password] of JSON.parse(reader.text()) as [Holder, Password][]) {
      this.byHolder.set(holder, password);
    }
  }
}
