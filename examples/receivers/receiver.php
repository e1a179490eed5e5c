<?php
// A webhook receiver for PHP-FPM and Apache. Alone, with pcntl: WEBHOOK_SECRET=whsec_… PORT=4000 php receiver.php
declare(strict_types=1);
const MAX_BYTES = 1_048_576;

function is_genuine(string $header, string $body): bool
{
    $t = preg_match('/(?:^|,)[ \t]*t=(\d{1,12})[ \t]*(?:,|$)/D', $header, $found) ? $found[1] : '0'; // 0 is too old
    $is_signed = false;
    foreach (preg_split('/[\s,]+/', (string) getenv('WEBHOOK_SECRET'), -1, PREG_SPLIT_NO_EMPTY) as $secret) {
        $expected = 'v1=' . hash_hmac('sha256', "$t.$body", $secret);
        foreach (explode(',', $header) as $entry) {
            $is_signed = hash_equals($expected, trim($entry)) || $is_signed;
        }
    }
    return $is_signed && abs(time() - (int) $t) <= 300;
}

/** Returns whether the event is new. Yours is a table with a unique column. */
function remember(string $id): bool
{
    $folder = getenv('SEEN_FOLDER') ?: sys_get_temp_dir() . '/seen-events';
    @mkdir($folder);
    return @fopen($folder . '/' . basename($id), 'x') !== false;
}

/** Accepts requests without a web server. Returns the socket, the signature and the body of one, in a process of its own. */
function accept_request(): array
{
    $server = stream_socket_server('tcp://' . (getenv('HOST') ?: '0.0.0.0') . ':' . getenv('PORT'));
    for ($count = 1; !($socket = @stream_socket_accept($server)) || pcntl_fork() !== 0; $count += 1) {
        $socket = null; // closes it in this process
        $count > 64 && pcntl_wait($status); // at most 64 processes
    }
    pcntl_alarm(30); // ends the process of a request that takes longer
    for ($head = ''; strlen($head) < 16_384 && !in_array($line = fgets($socket, 8_192), ["\r\n", false], true); ) {
        $head .= $line;
    }
    preg_match('/^content-length:[ \t]*(\d{1,7})[ \t]*\r$/mi', $head, $length);
    preg_match('/^x-partner-signature:[ \t]*(.*?)[ \t]*\r$/mi', $head, $signature);
    $size = $line === "\r\n" ? min((int) ($length[1] ?? 0), MAX_BYTES + 1) : 0;
    return [$socket, $signature[1] ?? '', (string) stream_get_contents($socket, $size)];
}

[$socket, $header, $body] = PHP_SAPI === 'cli' ? accept_request() : [
    null,
    $_SERVER['HTTP_X_PARTNER_SIGNATURE'] ?? '',
    (string) file_get_contents('php://input', false, null, 0, MAX_BYTES + 1), // the raw bytes, before anything parses them
];
$status = strlen($body) <= MAX_BYTES && is_genuine($header, $body) ? 204 : 400;
$event = $status === 204 ? json_decode($body, false, 64, JSON_THROW_ON_ERROR) : null;
$event && remember($event->id) && error_log("$event->id $event->type");
http_response_code($status);
$socket && fwrite($socket, "HTTP/1.1 $status Done\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
