/**
 * Which register the i-th record belongs to, and its rank there. Registers are interleaved in rounds of 1,000 records
 * with as many slots for each register as its size, in an order drawn once for a seed. So the i-th record does not
 * depend on the number of records, every prefix has the registers in proportion, and no (register, rank) occurs twice.
 */
import { OperatorError } from '../base/errors.ts';
import { Random, type Seed } from './random.ts';
import { findRegister, REGISTERS, type Register } from './registers.ts';

const SLOT_SPACE = 1;

export interface Position {
  register: Register;
  /** 0, 1, 2 … within the register. */
  rank: number;
}

/** @throws OperatorError when a code is none of the synthetic registers, or none is left. */
export function parseRegisters(codes: readonly string[] | undefined): readonly Register[] {
  if (codes === undefined) return REGISTERS;
  const wanted = new Set<Register>();
  for (const code of codes) {
    const register = findRegister(code.trim().toUpperCase());
    if (register === null) {
      const known = REGISTERS.map((entry) => entry.code).join(', ');
      throw new OperatorError(`there is no synthetic register "${code}"; choose from ${known}`, { exitStatus: 2 });
    }
    wanted.add(register);
  }
  if (wanted.size === 0) throw new OperatorError('name at least one register', { exitStatus: 2 });
  return REGISTERS.filter((register) => wanted.has(register));
}

/** The position of each index. A register's ranks do not depend on which other registers are generated. */
export function buildPositions(seed: Seed, registers: readonly Register[]): (index: number) => Position {
  const slots: Position[] = [];
  for (const register of registers) {
    for (let rank = 0; rank < register.size; rank += 1) slots.push({ register, rank });
  }
  const random = new Random(seed, SLOT_SPACE, 0);
  for (let i = slots.length - 1; i > 0; i -= 1) {
    const j = random.below(i + 1);
    [slots[i], slots[j]] = [slots[j] as Position, slots[i] as Position];
  }
  return (index) => {
    const round = Math.floor(index / slots.length);
    const { register, rank } = slots[index - round * slots.length] as Position;
    return { register, rank: round * register.size + rank };
  };
}
