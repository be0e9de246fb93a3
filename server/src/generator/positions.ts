/**
 * Which register the i-th record belongs to, and which place it has there. Registers are interleaved in blocks, one
 * slot per unit of a register's size, in an order drawn once per seed. So the i-th record does not depend on how many
 * are asked for, every prefix holds the registers in proportion, and the pair (register, rank) is used once.
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
      throw new OperatorError(`there is no synthetic register "${code}"; there are ${known}`, { exitStatus: 2 });
    }
    wanted.add(register);
  }
  if (wanted.size === 0) throw new OperatorError('name at least one register', { exitStatus: 2 });
  return REGISTERS.filter((register) => wanted.has(register));
}

/** The position of each index; ranks are the same whether a register is generated alone or among others. */
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
    const block = Math.floor(index / slots.length);
    const { register, rank } = slots[index - block * slots.length] as Position;
    return { register, rank: block * register.size + rank };
  };
}
