<?php
// A webhook receiver. Run: WEBHOOK_SECRET=whsec_… php -S 0.0.0.0:4000 receiver.php
declare(strict_types=1);

function is_genuine(string $header, string $body): bool
{
    $t = preg_match('/(?:^|,)t=(\d{1,12})(?:,|$)/D', $header, $found) ? $found[1] : '0'; // 0 is too old
    $is_signed = false;
    foreach (preg_split('/[\s,]+/', (string) getenv('WEBHOOK_SECRET'), -1, PREG_SPLIT_NO_EMPTY) as $secret) {
        $expected = 'v1=' . hash_hmac('sha256', "$t.$body", $secret);
        foreach (explode(',', $header) as $entry) {
            $is_signed = hash_equals($expected, $entry) || $is_signed;
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

$body = (string) file_get_contents('php://input'); // the raw bytes, before anything parses them
if (!is_genuine($_SERVER['HTTP_X_PARTNER_SIGNATURE'] ?? '', $body)) {
    http_response_code(400);
    return;
}
$event = json_decode($body, false, 64, JSON_THROW_ON_ERROR);
if (remember($event->id)) {
    error_log("$event->id $event->type");
}
http_response_code(204);
