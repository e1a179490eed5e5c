import type { FileContent } from './screen.js';

/**
 * Sends each chunk of a file as soon as it is made. If a chunk fails, breaks the connection, so that the browser reports an
 * incomplete file.
 */
export function fileResponse({ name, chunks }: FileContent, onError: (error: unknown) => void): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        onError(error);
        controller.error(error);
      }
    },
    async cancel() {
      await chunks.return();
    },
  });
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}"`,
  };
  return new Response(body, { headers });
}
