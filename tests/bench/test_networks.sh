#!/bin/sh
# bench/networks: a network with each operator of its table is described so that `tune --network` reads all of it, equal
# layers are one, and every kernel is compiled; what it cannot describe is said.
set -eu
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
XDG_STATE_HOME=$scratch/state XDG_CACHE_HOME=$scratch/cache
export XDG_STATE_HOME XDG_CACHE_HOME

fail() {
    echo "FAILED: $*"
    exit 1
}

# row MODEL OP COUNT JSON: the object's quotes are doubled, as in a table.
row() { echo "$1,$2,\"$(echo "$4" | sed 's/"/""/g')\",$3"; }
{
    echo model,op,params,count
    row net conv2d 1 '{"C":3,"H":23,"W":23,"K":5,"R":7,"S":7,"stride":2,"pad_h":3,"pad_w":3,"dilation":1,"groups":1,"OH":12,"OW":12,"epilogue":["bias","relu"]}'
    row net conv2d 2 '{"C":5,"H":7,"W":9,"K":5,"R":3,"S":3,"stride":1,"pad_h":1,"pad_w":1,"dilation":1,"groups":1,"OH":7,"OW":9,"epilogue":["bias","add","relu"]}'
    row net conv2d 1 '{"C":5,"H":7,"W":9,"K":5,"R":3,"S":3,"stride":1,"pad_h":1,"pad_w":1,"dilation":1,"groups":1,"OH":7,"OW":9,"epilogue":["bias","add","relu"]}'
    row net conv2d 1 '{"C":5,"H":12,"W":12,"K":7,"R":3,"S":1,"stride":1,"pad_h":2,"pad_w":0,"dilation":2,"groups":1,"OH":12,"OW":12,"epilogue":[]}'
    row net depthwise_conv2d 1 '{"C":6,"H":9,"W":9,"K":6,"R":3,"S":3,"stride":2,"pad_h":1,"pad_w":1,"dilation":1,"groups":6,"OH":5,"OW":5,"epilogue":["bias","relu6"]}'
    row net max_pool2d 1 '{"C":4,"H":13,"W":13,"R":3,"S":3,"stride":2,"pad_h":1,"pad_w":1,"ceil_mode":0,"OH":7,"OW":7,"epilogue":[]}'
    row net max_pool2d 1 '{"C":4,"H":12,"W":12,"R":3,"S":3,"stride":2,"pad_h":0,"pad_w":0,"ceil_mode":1,"OH":6,"OW":6,"epilogue":[]}'
    row net avg_pool2d 1 '{"C":4,"H":8,"W":8,"R":2,"S":2,"stride":2,"pad_h":0,"pad_w":0,"ceil_mode":0,"OH":4,"OW":4,"epilogue":[]}'
    row net adaptive_avg_pool2d 1 '{"C":9,"H":7,"W":7,"OH":1,"OW":1,"epilogue":[]}'
    row net adaptive_avg_pool2d 1 '{"C":9,"H":7,"W":7,"OH":7,"OW":7,"epilogue":[]}'
    row net dense 1 '{"M":1,"K":33,"N":17,"epilogue":["bias","tanh"]}'
    row net dense 1 '{"M":3,"K":33,"N":17,"epilogue":["bias","gelu"]}'
    row net batch_matmul 1 '{"B":2,"M":5,"K":7,"N":9,"epilogue":[]}'
    row net layer_norm 1 '{"M":5,"N":33,"epilogue":[]}'
    row net softmax 1 '{"M":5,"N":33,"epilogue":[]}'
} >table.csv
"$SQUALL_SOURCE/bench/networks" table.csv made/here || fail "the table was refused"
mv made/here/net.* .
"$SQUALL" tune --network=net.json --trials=1 --store=none --out-dir=. >out 2>err || fail "not read: $(cat err)"
grep -q 'net: 14 layers, 13 kernels, ' out || fail "layers are missing: $(cat out)"
"$SQUALL" compile net.sq --target=generic -o net.c 2>err || fail "not compiled: $(cat err)"

row other conv2d 1 '{"C":6,"H":7,"W":7,"K":6,"R":3,"S":3,"stride":1,"pad_h":1,"pad_w":1,"dilation":1,"groups":2,"OH":7,"OW":7,"epilogue":[]}' >>table.csv
! "$SQUALL_SOURCE/bench/networks" table.csv . other 2>err || fail "groups of channels were taken"
grep -q 'groups of several channels are not described' err || fail "$(cat err)"
! "$SQUALL_SOURCE/bench/networks" table.csv . none 2>err || fail "a model was made up"
grep -q "the table has no model 'none'; it has net other" err || fail "$(cat err)"
