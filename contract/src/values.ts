/**
 * Values that answers have in many places. The tags of a type, and its comment where a member has none, become part of
 * the schemas of the interface description.
 */

/** @minimum 0 */
export type Count = number;

/** @minimum 1 */
export type Positive = number;

/** @minLength 1 */
export type Text = string;

/** @fraction @minimum 0 @maximum 1 */
export type Share = number;

/** Register code. */
export type RegisterCode = string;

/** Identity within the register. */
export type Uid = string;

/** Send it back verbatim for the next page; null: no more. */
export type PageCursor = string | null;

/** A durable position: keep the latest one. Null only on an empty page, which means caught up. */
export type FeedCursor = string | null;

/** UTC calendar month. @pattern ^\d{4}-\d{2}$ */
export type Month = string;

/** Names the load. @format uuid */
export type LoadId = string;

/** @pattern ^[0-9a-f]{64}$ */
export type Sha256 = string;

/** @pattern ^[0-9a-f]{16}$ */
export type ShortDigest = string;

/** @minimum NICE_CLASS_MIN @maximum NICE_CLASS_MAX */
export type NiceClass = number;
