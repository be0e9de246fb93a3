/** The journeys where no script runs. */
import { testJourneys } from '../support/journeys.ts';

testJourneys('without scripts every journey is made too [5.4]', {
  viewport: { width: 1280, height: 900 },
  colorScheme: 'dark',
  javaScriptEnabled: false,
});
