import { connect } from 'node:net';

/**
 * Sends raw bytes. Resolves with the response when the server closes the connection or `isEnough` returns
 * true.
 */
export function sendRaw(
  port: number,
  chunks: readonly string[],
  isEnough = (_text: string) => false,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => {
      for (const chunk of chunks) socket.write(chunk);
    });
    socket.setEncoding('utf8');
    socket.on('data', (data) => {
      text += data;
      if (isEnough(text)) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

/** Returns the start of a request: the request line, `Host`, and these extra lines. */
export function requestHead(method: string, path: string, ...lines: string[]): string {
  return `${[`${method} ${path} HTTP/1.1`, 'Host: test', ...lines].join('\r\n')}\r\n\r\n`;
}

/** The head of a request with `Connection: close`. */
export function lastHead(method: string, path: string, ...lines: string[]): string {
  return requestHead(method, path, 'Connection: close', ...lines);
}
