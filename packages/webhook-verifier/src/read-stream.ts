import { BODY_TIMEOUT_MS, TOO_LARGE } from './receiver.js';

/** The parts of a Node stream that the receiver uses. */
export interface NodeStream {
  readonly destroyed: boolean;
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: () => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  off(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  off(event: 'end', listener: () => void): unknown;
  off(event: 'error', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
  pause(): unknown;
}

/** Reads a request. Stops once it exceeds `maxBytes`. Rejects if the request is aborted, or takes 30 seconds. */
export function readStream(stream: NodeStream, maxBytes: number): Promise<Uint8Array | typeof TOO_LARGE> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;

    const onData = (chunk: Uint8Array) => {
      length += chunk.byteLength;
      chunks.push(chunk);
      if (length <= maxBytes) return;
      stop();
      stream.pause();
      resolve(TOO_LARGE);
    };
    const onEnd = () => {
      stop();
      resolve(concatenate(chunks, length));
    };
    const onBreak = () => {
      stop();
      reject(new Error('The webhook request was aborted before its body was complete.'));
    };
    const timer = setTimeout(onBreak, BODY_TIMEOUT_MS);
    const stop = () => {
      clearTimeout(timer);
      stream.off('data', onData);
      stream.off('end', onEnd);
      stream.off('error', onBreak);
      stream.off('close', onBreak);
    };
    // The sender may have aborted the request while earlier middleware was waiting.
    if (stream.destroyed) return onBreak();
    stream.on('data', onData);
    stream.on('end', onEnd);
    stream.on('error', onBreak);
    stream.on('close', onBreak);
  });
}

export function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
