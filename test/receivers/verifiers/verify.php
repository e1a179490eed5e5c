<?php
// Written from docs/webhooks.md alone. Reads lines of base64: secret, header, body, and the clock. Prints true or false.
declare(strict_types=1);

function isGenuine(string $secret, string $header, string $body, int $now): bool
{
    $entries = array_map(fn ($entry) => array_pad(explode('=', trim($entry), 2), 2, ''), explode(',', $header));
    $t = '';
    foreach ($entries as [$name, $value]) {
        if ($name === 't' && $t === '') {
            $t = $value;
        }
    }
    if (!preg_match('/\A[0-9]{1,18}\z/', $t) || abs($now - (int) $t) > 300) {
        return false;
    }
    $digest = hash_hmac('sha256', "$t.$body", $secret);
    $isSigned = false;
    foreach ($entries as [$name, $value]) {
        $isSigned = ($name === 'v1' && hash_equals($digest, $value)) || $isSigned;
    }
    return $isSigned;
}

while (($line = fgets(STDIN)) !== false) {
    [$secret, $header, $body, $now] = explode(' ', rtrim($line, "\n"));
    [$secret, $header, $body] = array_map('base64_decode', [$secret, $header, $body]);
    echo isGenuine($secret, $header, $body, (int) $now) ? "true\n" : "false\n";
}
