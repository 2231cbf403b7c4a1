/** Those who work at the venue's desk. */
export interface Operator {
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly isEnabled: boolean;
  readonly hasPassword: boolean;
  readonly hasTotp: boolean;
  readonly sessions: number;
  readonly createdMs: number;
}
