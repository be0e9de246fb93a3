/** The journeys on a phone, in the dark theme. */
import { testJourneys } from '../support/journeys.ts';
import { testOtherJourneys } from '../support/journeys-of-others.ts';

const SCREEN = {
  viewport: { width: 390, height: 844 },
  colorScheme: 'dark',
  hasTouch: true,
  isMobile: true,
} as const;

testJourneys('on a phone in the dark a keyboard is enough for every journey [5.4]', SCREEN);
testOtherJourneys('a phone, dark', SCREEN);
