/**
 * What a request is for whose method no route takes. A route for each method that HTTP knows would be thirty routes for
 * a path, so one route takes all such requests, and this file finds their path among those that are served. Invariant:
 * it finds the path that the router would find for a method that it takes.
 */
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { apiError } from '../base/errors.ts';
import { readPathEnd } from '../parse/query.ts';
import { sendRefusal } from './send.ts';

/** Answers a request whose method its path does not take. `rest`: what the wildcard of the path stands for, decoded. */
export type AnswerOther = (request: FastifyRequest, reply: FastifyReply, rest?: string) => void;

/** Refuses a request whose method is none of these. */
export function refuseOtherThan(methods: readonly string[]): AnswerOther {
  const taken = methods.join(', ');
  return (request, reply) => {
    const message = `${request.method} is not allowed here; this path takes ${taken}.`;
    sendRefusal(request, reply, apiError('method_not_allowed', message, { headers: { allow: taken } }));
  };
}

/** Where a call arrives: as the router states it, or for a method that no route takes. */
export interface Place {
  readonly url?: string | undefined;
  readonly config: Pick<RouteOptions['config'] & object, 'endpoint' | 'isProbe' | 'answerOther'>;
}

interface ServedPath extends Place {
  readonly parts: readonly string[];
  readonly end: string | undefined;
  /** Sorts as the router prefers: fixed parts before parameters before a wildcard, a path with an end before others. */
  readonly rank: string;
}

/** The name under which the router keeps the end of a path, in addition to the path. */
export const PATH_END = 'pathEnd';

export class OtherMethods {
  private paths: ServedPath[] = [];

  /** Only routes that say how to answer other methods are kept. */
  add({ url, config, constraints }: RouteOptions): void {
    if (config?.answerOther === undefined) return;
    const parts = splitPath(url);
    const end = constraints?.[PATH_END] as string | undefined;
    const rank = `${parts.map(rankPart).join('')}${end === undefined ? 1 : 0}`;
    this.paths.push({ url, config, parts, end, rank });
    this.paths.sort((one, other) => (one.rank < other.rank ? -1 : Number(one.rank > other.rank)));
  }

  /** `target`: one that the router could decode. Null: no such path is served. */
  find(target: string): { readonly place: Place; readonly rest: string | undefined } | null {
    const path = target.split('?', 1)[0]!;
    const given = splitPath(path).map(decodeURIComponent);
    const end = readPathEnd(path);
    const place = this.paths.find((served) => (served.end ?? end) === end && isPath(served.parts, given));
    if (place === undefined) return null;
    const { parts } = place;
    return { place, rest: parts.at(-1) === '*' ? given.slice(parts.length - 1).join('/') : undefined };
  }
}

function splitPath(path: string): string[] {
  return path.split('/').slice(1);
}

function rankPart(part: string): number {
  return part === '*' ? 2 : part.startsWith(':') ? 1 : 0;
}

function isPath(parts: readonly string[], given: readonly string[]): boolean {
  const isOpen = parts.at(-1) === '*';
  if (isOpen ? given.length < parts.length : given.length !== parts.length) return false;
  return parts.every((part, at) => rankPart(part) > 0 || part === given[at]);
}
