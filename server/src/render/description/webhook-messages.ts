/** What the service sends to webhooks, as the description has it. `webhook/message.ts` writes the messages. */
import { closed, instant, type Json, refer } from './schema-parts.ts';

const timestamp = { ...instant, description: 'When the hits were found.' };

const HITS_EXAMPLE = {
  type: 'watch.hits',
  timestamp: '2026-11-24T00:00:00.123456Z',
  data: {
    watch: 'lumora-eu',
    reference: 'M-2041',
    since: '2026-11-23T06:00:00.000001Z',
    cursor: 'AXQuZXhhbXBsZQ',
  },
};
const TEST_EXAMPLE = { type: 'test', timestamp: '2026-11-24T00:00:00.123456Z', data: {} };

export function buildMessageSchemas(): Json {
  const data = closed(
    {
      watch: { type: 'string', minLength: 1, description: 'Id of the watch.' },
      reference: { type: ['string', 'null'], description: 'Your own reference on the watch; null: none.' },
      since: { ...instant, description: 'Send it, with `cursor`, to the hits of the watch.' },
      cursor: { type: 'string', minLength: 1, description: 'The position after which the new hits are.' },
    },
    'From where the new hits are read.',
  );
  return {
    WatchHitsMessage: {
      ...closed(
        { type: { type: 'string', const: 'watch.hits', description: 'What happened.' }, timestamp, data },
        'A watch has new hits.',
      ),
      examples: [HITS_EXAMPLE],
    },
    TestMessage: {
      ...closed(
        {
          type: { type: 'string', const: 'test', description: 'A test that somebody asked for.' },
          timestamp: { ...instant, description: 'When it was asked for.' },
          data: { type: 'object', maxProperties: 0, description: 'Always empty.' },
        },
        'A test of the receiver.',
      ),
      examples: [TEST_EXAMPLE],
    },
  };
}

export function buildWebhooks(): Json {
  return {
    'watch.hits': buildMessage({
      id: 'onWatchHits',
      summary: 'A watch has new hits',
      schema: 'WatchHitsMessage',
      example: HITS_EXAMPLE,
      description: 'Sent within seconds after a publish was matched, and repeated until the receiver takes it.',
    }),
    test: buildMessage({
      id: 'onTestEvent',
      summary: 'A test of the receiver',
      schema: 'TestMessage',
      example: TEST_EXAMPLE,
      description: 'Sent once, when somebody asks for it, on the page of the webhook or by program.',
    }),
  };
}

interface Message {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: string;
  readonly example: Json;
}

function buildMessage({ id, summary, description, schema, example }: Message): Json {
  return {
    post: {
      operationId: id,
      tags: ['webhooks'],
      summary,
      description: `${description} [Webhooks](/docs/webhooks) says how it is signed and what a receiver does.`,
      security: [],
      parameters: [
        buildHeader(
          'webhook-id',
          'The same at every attempt: drop what you have.',
          'msg_5f0d6ee5b4c04bd8a3f9a6b0a1c2d3e4',
        ),
        buildHeader('webhook-timestamp', 'When it was sent, in seconds of Unix time.', '1795478400'),
        buildHeader(
          'webhook-signature',
          'Signatures by Standard Webhooks, separated by blanks.',
          'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        ),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: refer('schemas', schema), example } } },
      responses: {
        204: { description: 'Taken. Any status from 200 to 299 within ten seconds means the same.' },
        410: { description: 'Switches the webhook off. Any other status is a failure, and the message is sent again.' },
      },
    },
  };
}

function buildHeader(name: string, description: string, example: string): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string', minLength: 1 }, example };
}
