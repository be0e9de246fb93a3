/** The journeys where no script runs. */
import { testJourneys } from '../support/journeys.ts';
import { testOtherJourneys } from '../support/journeys-of-others.ts';

const SCREEN = {
  viewport: { width: 1280, height: 900 },
  colorScheme: 'dark',
  javaScriptEnabled: false,
} as const;

testJourneys('without scripts every journey is made too [5.4]', SCREEN);
testOtherJourneys('a desktop without scripts', SCREEN);
