# Written from docs/webhooks.md alone. Reads lines of base64: secret, header, body, and the clock. Prints true or false.
use strict;
use warnings FATAL => 'all';
use Digest::SHA qw(hmac_sha256_hex);
use MIME::Base64 qw(decode_base64);

# Takes the same time wherever two texts of equal length differ.
sub is_same {
    my ($one, $other) = @_;
    return 0 if length($one) != length($other);
    my $difference = 0;
    $difference |= ord(substr($one, $_, 1)) ^ ord(substr($other, $_, 1)) for 0 .. length($one) - 1;
    return $difference == 0;
}

sub is_genuine {
    my ($secret, $header, $body, $now) = @_;
    my @entries = map { [split /=/, s/\A\s+|\s+\z//gr, 2] } split /,/, $header;
    my ($t) = map { $_->[1] } grep { ($_->[0] // '') eq 't' } @entries;
    return 0 if !defined $t || $t !~ /\A[0-9]+\z/ || abs($now - $t) > 300;
    my $digest = hmac_sha256_hex("$t.$body", $secret);
    return scalar grep { ($_->[0] // '') eq 'v1' && is_same($_->[1] // '', $digest) } @entries;
}

while (my $line = <STDIN>) {
    chomp $line;
    my ($secret, $header, $body, $now) = split / /, $line;
    my $genuine = is_genuine((map { decode_base64($_) } $secret, $header, $body), $now);
    print $genuine ? "true\n" : "false\n";
}
