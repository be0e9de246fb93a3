/** The first journeys, on a desktop; the proofs make all of them on every kind of screen. */
import { testJourneys } from '../support/journeys.ts';

const JOURNEYS_MAX = 5;
const SCREEN = {
  viewport: { width: 1280, height: 900 },
  colorScheme: 'light',
} as const;

testJourneys('on a desktop a keyboard is enough to join, to search and to read a record [5.4]', SCREEN, JOURNEYS_MAX);
