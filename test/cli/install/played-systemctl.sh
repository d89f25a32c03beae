#!/bin/sh
# Plays systemd in a root without one: notes what it is asked, and runs the program of the unit as the unit's user.
echo "$*" >> /calls
stop() {
  test ! -e /run/duka.id || kill "$(cat /run/duka.id)"
  rm -f /run/duka.id
}
unit=/etc/systemd/system/duka.service
case "$1" in
  is-enabled | is-active) test -e /run/duka.id ;;
  show) echo "@$(cat /run/duka.started)" ;;
  disable) stop ;;
  restart)
    stop
    user=$(sed -n 's/^User=//p' $unit)
    # The command of the unit is several words.
    setpriv --reuid "$user" --regid "$user" --clear-groups $(sed -n 's/^ExecStart=//p' $unit) > /run/duka.log 2>&1 &
    echo $! > /run/duka.id
    date +%s > /run/duka.started
    ;;
esac
