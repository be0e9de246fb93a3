/** Why a read of records has no answer. What the API says about it is a table of `render/failure.ts`. */
export type ReadFault =
  | 'register_not_served'
  | 'no_such_record'
  /** A position that is later than the horizon of the change feed. */
  | 'past_horizon'
  /** More records have changed since a position than an answer lists. */
  | 'too_many_changed'
  /** Records of a page keep changing while their payloads are read. */
  | 'changing';

export class ReadRefused extends Error {
  readonly fault: ReadFault;
  /** The register that was asked for; empty where it does not matter. */
  readonly register: string;

  constructor(fault: ReadFault, register = '') {
    super(`refused: ${fault}`);
    this.name = 'ReadRefused';
    this.fault = fault;
    this.register = register;
  }
}
