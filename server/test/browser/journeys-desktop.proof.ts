/** The journeys on a desktop, in the light theme. */
import { testJourneys } from '../support/journeys.ts';
import { testOtherJourneys } from '../support/journeys-of-others.ts';

const SCREEN = {
  viewport: { width: 1280, height: 900 },
  colorScheme: 'light',
} as const;

testJourneys('on a desktop a keyboard is enough for every journey [5.4]', SCREEN);
testOtherJourneys('a desktop, light', SCREEN);
